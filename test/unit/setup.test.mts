/** @jest-environment ./test/support/limitedEnvironment.mts */
import { until } from '../../host/until.mts';
import { FreshClone, type Machine } from '../support/freshClone.mts';

// Runs the set-up on a fresh clone with a fake npm that only creates folders.

/** The steps of a whole set-up, sorted: the tools and n8n are installed side by side. */
const WHOLE = ['root ci', 'host ci', 'host rebuild']
	.flatMap((step) => [`start ${step}`, `end ${step}`])
	.sort();
const NODE_24 = { node: '24.1.0' };

let clone: FreshClone;
beforeEach(() => {
	clone = new FreshClone();
});
afterEach(() => clone.remove());

test('the set-up installs once, then runs the script without installing again', async () => {
	const first = await clone.run(NODE_24);
	const second = await clone.run(NODE_24);
	expect(first).toMatchObject({ code: 0, output: expect.stringContaining('worked with own Node') });
	expect(second).toEqual({ code: 0, output: 'worked with own Node\n' });
	expect([...clone.steps].sort()).toEqual(WHOLE);
});

test('a set-up without n8n installs the tools only, and runs the script with the own Node', async () => {
	const { code, output } = await clone.run({ node: '22.1.0' }, {}, ['--without-n8n']);
	expect({ code, output }).toMatchObject({
		code: 0,
		output: expect.stringContaining('worked with own Node'),
	});
	expect(clone.steps).toEqual(['start root ci', 'end root ci']);
});

test("with --early, the script starts before n8n's database driver is built, and an error of the build ends it", async () => {
	const early = await clone.run(NODE_24, { FAKE_NPM_MS: '2500' }, ['--early']);
	expect(early).toMatchObject({ code: 0, output: expect.stringContaining('driver is missing') });
	clone.remove();
	clone = new FreshClone();
	const env = { FAKE_WORK_MS: '60000', FAKE_NPM_FAILS: 'host rebuild' };
	const { code, output } = await clone.run(NODE_24, env, ['--early']);
	expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('failed') });
});

test('two set-ups that start at once on a fresh clone install once', async () => {
	const env = { FAKE_NPM_MS: '200' };
	const both = await Promise.all([clone.run(NODE_24, env), clone.run({ node: '22.1.0' }, env)]);
	expect(both.map(({ code }) => code)).toEqual([0, 0]);
	expect([...clone.steps].sort()).toEqual(WHOLE);
});

test('a set-up that is killed takes npm with it and does not block the next one', async () => {
	const { child, ended } = clone.start(NODE_24, { FAKE_NPM_MS: '60000' });
	await until(
		async () => clone.steps,
		(steps) => steps.length > 1,
	);
	child.kill('SIGKILL');
	// The output closes when npm has ended as well.
	await ended;
	const { code } = await clone.run(NODE_24);
	expect(code).toBe(0);
	expect([...clone.steps].sort()).toEqual(['start root ci', 'start host ci', ...WHOLE].sort());
});

test.each(['20.1.0', '22.1.0', '25.1.0', '26.1.0'])(
	'the set-up runs n8n with the bundled Node 24 if the installed Node is %s',
	async (node) => {
		const { code, output } = await clone.run({ node });
		expect(code).toBe(0);
		expect(output).toContain('worked with bundled Node');
	},
);

test('the set-up installs nothing again after a change between Node 20, 24 and 25', async () => {
	for (const node of ['20.1.0', '24.1.0', '25.1.0']) await clone.run({ node });
	expect([...clone.steps].sort()).toEqual(WHOLE);
});

test('the set-up reports a bundled Node that npm left out, and does not count as complete', async () => {
	const machine = { node: '22.1.0' };
	const { code, output } = await clone.run(machine, { FAKE_NPM_WITHOUT_NODE: '1' });
	expect(code).toBe(1);
	expect(output).toContain('npm did not install Node 24. Install it yourself and try again.');
	expect(clone.steps).not.toContain('start host rebuild');
	expect((await clone.run(machine)).code).toBe(0);
});

const WINDOWS =
	'Windows is not supported: run this in WSL (https://learn.microsoft.com/windows/wsl).';
const OLD = 'Node 20 or newer is needed; this is 18.20.8. Install Node 24 and try again.';
const needsNode24 = (node: string) =>
	`n8n needs Node 24; this is ${node}. Install Node 24 and try again.`;

const REFUSED: Array<[machine: Machine, message: string]> = [
	[{ node: '24.1.0', platform: 'win32' }, WINDOWS],
	[{ node: '18.1.0', platform: 'win32' }, WINDOWS],
	[{ node: '18.20.8' }, OLD],
	[{ node: '22.1.0', libc: 'musl' }, needsNode24('22.1.0')],
	[{ node: '25.1.0', platform: 'darwin' }, needsNode24('25.1.0')],
];

test.each(REFUSED)(
	'the set-up refuses the machine %j with one line and installs nothing',
	async (machine, message) => {
		const { code, output } = await clone.run(machine);
		expect(code).toBe(1);
		expect(output.trim()).toBe(message);
		expect(clone.steps).toEqual([]);
	},
);
