/**
 * Loaded into a process before anything else. Its stdin is a pipe from the process that started it. When that process
 * ends, even by SIGKILL, the pipe closes, and this process ends with its whole process group.
 */
const { isMainThread } = require('node:worker_threads');

// The processes that this one starts have another stdin.
process.env.NODE_OPTIONS = (process.env.NODE_OPTIONS ?? '').replace(
	`--require=${JSON.stringify(__filename)}`,
	'',
);

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
