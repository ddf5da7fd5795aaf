/** @jest-environment ./test/support/limitedEnvironment.mts */
import { spawnSync } from 'node:child_process';

test('a file that never ends is killed and named, and a test that waits for real time fails', () => {
	// With a limit of memory, jest runs no file in its own process, which a loop that never ends would take along.
	const args = ['--testMatch', '**/failing/*.mts', '--workerIdleMemoryLimit=4GB', '--maxWorkers=2'];
	const env = { ...process.env, SURVEYS_FILE_MINUTES: '0.5' };
	const { status, stderr } = spawnSync('npx', ['jest', ...args], { env, encoding: 'utf8' });
	expect(status).toBe(1);
	expect(stderr).toContain('test/support/failing/endless.mts took longer than 0.5 minutes');
	for (const milliseconds of [1000, 1001, 1002]) {
		expect(stderr).toContain(`A test waited for ${milliseconds} ms of real time.`);
	}
	expect(stderr).toContain('Tests:       3 failed, 1 passed, 4 total');
});
