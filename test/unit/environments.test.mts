/** @jest-environment ./test/support/limitedEnvironment.mts */
import { spawnSync } from 'node:child_process';

// Runs jest with files that must fail.

/** With a limit of memory, jest runs no file in its own process, which a loop that never ends would take along. */
function runFailing(file: string, minutes: string) {
	const args = [
		'--testMatch',
		`**/failing/${file}.mts`,
		'--silent=false',
		'--workerIdleMemoryLimit=4GB',
	];
	const env = { ...process.env, SURVEYS_FILE_MINUTES: minutes };
	return spawnSync('npx', ['jest', ...args, '--maxWorkers=2'], { env, encoding: 'utf8' });
}

test('a file that never ends is killed and named', () => {
	const { status, stderr } = runFailing('endless', '0.2');
	expect(status).toBe(1);
	expect(stderr).toContain('test/support/failing/endless.mts took longer than 0.2 minutes');
	expect(stderr).toContain('FAIL test/support/failing/endless.mts');
});

test('a test that waits for real time fails', () => {
	const { status, stderr } = runFailing('sleeping', '5');
	expect(status).toBe(1);
	for (const milliseconds of [200, 201, 202]) {
		expect(stderr).toContain(`A test waited for ${milliseconds} ms of real time.`);
	}
	expect(stderr).toContain('Tests:       3 failed, 1 passed, 4 total');
});
