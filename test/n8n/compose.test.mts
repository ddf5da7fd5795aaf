/** @jest-environment ./test/support/limitedEnvironment.mts */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { composeProblems } from '../support/composeCheck.mts';
import { ComposeProxy, findCaddy } from '../support/composeProxy.mts';
import { fileText } from '../support/files.mts';

// Checks that compose.yaml has the parts and versions that the repository tests.

const serviceSchema = z.object({
	image: z.string(),
	build: z.object({ dockerfile_inline: z.string() }).optional(),
	environment: z.record(z.string()).optional(),
});
const { services } = z
	.object({ services: z.record(serviceSchema) })
	.parse(parse(fileText('compose.yaml'), { merge: true }));
const processes = [services.main, services.webhook, services.worker];

test('compose.yaml is valid', () => {
	expect(composeProblems()).toBe('');
});

test('compose.yaml installs this version of the package in the tested version of n8n', () => {
	const { name, version } = z
		.object({ name: z.string(), version: z.string() })
		.parse(JSON.parse(fileText('package.json')));
	const host = z
		.object({ dependencies: z.object({ n8n: z.string() }) })
		.parse(JSON.parse(fileText('host/package.json')));
	const dockerfile = services.main?.build?.dockerfile_inline;
	expect(dockerfile).toContain(`n8n:\${N8N_VERSION:-${host.dependencies.n8n}}\n`);
	expect(dockerfile).toContain(` ${name}@\${SURVEYS_VERSION:-${version}}`);
	expect(processes.map((one) => one?.image)).toEqual(Array(3).fill(services.main?.image));
});

test('compose.yaml sets queue mode and allows unverified packages in every process', () => {
	for (const one of processes) {
		expect(one?.environment).toMatchObject({
			EXECUTIONS_MODE: 'queue',
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		});
	}
});

describe('the first lines of compose.yaml', () => {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'surveys-compose-'))));
	afterEach(() => rmSync(folder, { recursive: true }));

	/** Enters the commands of the first lines, with a `docker` that does nothing. Returns the .env that is there then. */
	function enter(): string {
		const [head = ''] = fileText('compose.yaml').split('\nname:');
		const commands = [...head.matchAll(/^# {3}(.*)$/gm)].map(([, line]) => line).join('\n');
		writeFileSync(join(folder, 'docker'), '#!/bin/sh\n', { mode: 0o755 });
		const env = { PATH: [folder, process.env.PATH].join(delimiter) };
		expect(commands).toContain('docker compose up -d');
		const options = { cwd: folder, env, encoding: 'utf8' } as const;
		expect(spawnSync('sh', ['-ec', commands], options)).toMatchObject({ status: 0, stderr: '' });
		return readFileSync(join(folder, '.env'), 'utf8');
	}

	test('write a key, a password and a URL that only their owner can read', () => {
		expect(enter()).toMatch(
			/^N8N_ENCRYPTION_KEY=\w{48}\nPOSTGRES_PASSWORD=\w{48}\nPUBLIC_URL=http:\/\/localhost:5678\n$/,
		);
		expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
	});

	test('keep the encryption key and the password of the database if somebody enters them again', () => {
		expect(enter()).toBe(enter());
	});
});

const caddy = findCaddy();

(caddy ? describe : describe.skip)('the proxy of compose.yaml', () => {
	let proxy: ComposeProxy;
	beforeAll(async () => (proxy = await ComposeProxy.open(caddy ?? '')), 60_000);
	afterAll(async () => await proxy?.close());

	test("keeps the host and the protocol that a TLS front names, so that n8n's editor accepts the origin", async () => {
		const front = { 'x-forwarded-host': 'n8n.example.com', 'x-forwarded-proto': 'https' };
		for (const path of ['/rest/push', '/webhook/some-id', '/mcp/some-id']) {
			expect((await proxy.get(path, front)).headers).toMatchObject(front);
		}
	});

	test('sends the editor to the main process, and production calls to both webhook processors', async () => {
		for (const path of [
			'/',
			'/rest/login',
			'/webhook-test/id',
			'/mcp-test/id',
			'/mcp-server/http',
		]) {
			expect(await proxy.takers(path)).toEqual(['main']);
		}
		for (const path of ['/webhook/id', '/webhook-waiting/1', '/form/id', '/form-waiting/1']) {
			expect(await proxy.takers(path)).toEqual(['webhook-1', 'webhook-2']);
		}
	});

	test('sends all calls of MCP Server Triggers by one front to one webhook processor, which holds their sessions', async () => {
		const [one = '', ...others] = await proxy.takers('/mcp/one/sse');
		expect(one).toMatch(/^webhook-/);
		expect(others).toEqual([]);
		expect(await proxy.takers('/mcp/one/messages?sessionId=1')).toEqual([one]);
		expect(await proxy.takers('/mcp/two')).toEqual([one]);
	});

	test('sends production calls to the other webhook processor while one is down', async () => {
		await proxy.end('webhook-1');
		// Calls on connections that have just ended may fail: the processor may have received them.
		const paths = ['/webhook/id', '/webhook/id', '/mcp/id', '/mcp/id'];
		await Promise.allSettled(paths.map(async (path) => await proxy.get(path)));
		expect(await proxy.takers('/webhook/id')).toEqual(['webhook-2']);
		expect(await proxy.takers('/mcp/id')).toEqual(['webhook-2']);
	});
});
