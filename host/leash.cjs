/**
 * Loaded into n8n before anything else. n8n's stdin is a pipe from the process that started it: when that
 * process ends, however it ends, the pipe closes, and n8n and its task runner end with it. Without this a
 * killed test run would leave an n8n behind.
 */
const { isMainThread } = require('node:worker_threads');

function endGroup() {
	try {
		process.kill(-process.pid, 'SIGKILL');
	} catch {
		process.exit(1);
	}
}

if (isMainThread) {
	process.stdin.on('end', endGroup).on('error', endGroup).resume();
	process.stdin.unref?.();
}
