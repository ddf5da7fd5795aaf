/** @jest-environment ./test/support/limitedEnvironment.mts */
import { spawnSync } from 'node:child_process';

// Runs jest with files that must fail.

test('a file that never ends is killed and named, and a test that waits for real time fails', () => {
	const args = ['--testMatch', '**/failing/*.mts', '--maxWorkers=2', '--silent=false'];
	const env = { ...process.env, SURVEYS_FILE_MINUTES: '0.1' };
	const { status, stderr } = spawnSync('npx', ['jest', ...args], { env, encoding: 'utf8' });
	expect(status).toBe(1);
	expect(stderr).toContain('test/support/failing/endless.mts took longer than 0.1 minutes');
	expect(stderr).toContain('FAIL test/support/failing/endless.mts');
	for (const milliseconds of [200, 201, 202]) {
		expect(stderr).toContain(`A test waited for ${milliseconds} ms of real time.`);
	}
	expect(stderr).toContain('Tests:       3 failed, 1 passed, 4 total');
});
