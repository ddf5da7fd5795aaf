/** Resolves after so many milliseconds. */
export { setTimeout as sleep } from 'node:timers/promises';
