import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { chain, N8n, packedPackage } from '../../host/index.mts';
import { composeSettings } from '../../host/queue/compose.mts';
import type { Postgres } from '../../host/queue/postgres.mts';
import type { Programs } from '../../host/queue/programs.mts';
import { startSandbox } from '../../sandbox/index';
import { openPostgres } from '../support/database.mts';
import { fileText } from '../support/files.mts';
import { WITHOUT_EDITOR } from '../support/freshN8n.mts';
import { credentialsFor, type WorkflowInput } from '../support/n8n.mts';
import { available } from '../support/queue/available.mts';

// Runs the commands of docs/evidence/scale.md. The database needs PostgreSQL, and is skipped with the reason if there is none.

const { found, why } = available();
/** What stays in .env. */
const ENV = {
	...WITHOUT_EDITOR,
	N8N_ENCRYPTION_KEY: 'the same key before and after',
	N8N_WEBHOOK_URL: 'https://n8n.example.com',
};

/** Returns the options of a command in docs/evidence/scale.md without those that name the user and the database. */
function options(program: string): string[] {
	const [, given = ''] =
		fileText('docs/evidence/scale.md').match(`${program} -U n8n -d n8n (.*) [<>]`) ?? [];
	return given.split(' ');
}

/** Starts a new n8n on a new PostgreSQL for as long as `work` takes. */
async function onDatabase(
	programs: Programs,
	prepare: (postgres: Postgres) => Promise<void>,
	work: (n8n: N8n, postgres: Postgres) => Promise<void>,
): Promise<void> {
	const { postgres, close } = await openPostgres(programs);
	const userFolder = mkdtempSync(join(tmpdir(), 'surveys-backup-'));
	try {
		await prepare(postgres);
		const root = process.cwd();
		const env = { ...postgres.env, ...ENV };
		const n8n = await N8n.start({ root, tarball: packedPackage(root), userFolder, env });
		await work(n8n, postgres).finally(async () => await n8n.stop());
	} finally {
		await close();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

const listening = (credential: { id: string; name: string }): WorkflowInput => ({
	name: 'Listening',
	nodes: [
		{
			name: 'Feedback Comes In',
			type: 'n8n-nodes-surveys.surveyBTrigger',
			typeVersion: 1.1,
			parameters: { events: ['feedback.added_or_changed'] },
			credentials: { surveyBApi: credential },
		},
		{ name: 'Received', type: 'n8n-nodes-base.noOp' },
	],
	connections: chain('Feedback Comes In', 'Received'),
});

(found ? test : test.skip)(
	`a restored backup of the database has the credentials, the published workflows and the trigger that keeps run data ${why}`.trim(),
	async () => {
		if (!found) return;
		const sandbox = await startSandbox();
		const folder = mkdtempSync(join(tmpdir(), 'surveys-backup-'));
		const dump = join(folder, 'n8n.dump');
		let workflow = '';
		let credential = '';
		const empty = async () => undefined;
		await onDatabase(found, empty, async (n8n, postgres) => {
			await postgres.rows(composeSettings(process.cwd()).sql);
			const made = (await credentialsFor(sandbox, n8n)).surveyBApi;
			credential = made.id;
			workflow = await n8n.createWorkflow(listening(made));
			await n8n.activate(workflow);
			await postgres.runProgram('pg_dump', [...options('pg_dump'), '-f', dump]);
		});
		const [published] = sandbox.b.state.hooks;
		expect(published).toBeDefined();

		const restore = async (postgres: Postgres) =>
			await postgres.runProgram('pg_restore', [...options('pg_restore'), dump]);
		await onDatabase(found, restore, async (n8n, postgres) => {
			expect(await n8n.testCredential(credential)).toMatchObject({ status: 'OK' });
			expect(await n8n.workflow(workflow)).toMatchObject({ active: true });
			expect(sandbox.b.state.hooks).toEqual([published]);
			const kept = "SELECT tgname FROM pg_trigger WHERE tgname = 'keep_run_data'";
			expect(await postgres.rows(kept)).toEqual([['keep_run_data']]);
		});
		await sandbox.close();
		rmSync(folder, { recursive: true });
	},
	240_000,
);

test('the commands that retry all failed runs read every page of them, and retry each once', async () => {
	const failed = Array.from({ length: 25 }, (_, i) => ({
		id: String(25 - i),
		retryOf: i === 3 ? '9' : null,
		retrySuccessId: i === 4 ? '10' : null,
	}));
	const page = 10;
	const retried: string[] = [];
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? '', 'http://n8n');
		const [, id] = url.pathname.match(/executions\/(\d+)\/retry$/) ?? [];
		if (id) retried.push(id);
		const from = Number(url.searchParams.get('cursor') ?? 0);
		const data = url.searchParams.get('status') === 'error' ? failed.slice(from, from + page) : [];
		const nextCursor = from + page < failed.length && data.length > 0 ? String(from + page) : null;
		response.end(JSON.stringify(id ? { id, status: 'success' } : { data, nextCursor }));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');

	const [, script = ''] =
		fileText('docs/evidence/scale.md').match(/```sh\n(api\(\)[\s\S]*?)```/) ?? [];
	const here = script.replace('https://n8n.example.com', `http://127.0.0.1:${address.port}`);
	const folder = mkdtempSync(join(tmpdir(), 'surveys-retry-'));
	const child = spawn('bash', ['-uc', here], {
		cwd: folder,
		env: { ...process.env, N8N_API_KEY: 'key' },
	});
	const [printed, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
	server.close();
	rmSync(folder, { recursive: true });
	expect(problems).toBe('');
	expect(printed.trim().split('\n')).toHaveLength(23);
	expect(retried).toHaveLength(23);
	expect(new Set(retried).size).toBe(23);
}, 60_000);
