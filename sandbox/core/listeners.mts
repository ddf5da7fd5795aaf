// n8n's linter forbids this module in .ts files.
export { setMaxListeners } from 'node:events';
