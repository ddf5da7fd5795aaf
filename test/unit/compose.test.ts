import { parse } from 'yaml';
import { z } from 'zod';

import { composeProblems } from '../support/composeCheck.mts';
import { fileText } from '../support/files.mts';

// Checks that compose.yaml has the parts and versions that the repository tests.

const serviceSchema = z.object({
	image: z.string(),
	build: z.object({ dockerfile_inline: z.string() }).optional(),
	deploy: z.object({ replicas: z.number() }).optional(),
	environment: z.record(z.string()).optional(),
	healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const { services } = z
	.object({ services: z.record(serviceSchema) })
	.parse(parse(fileText('compose.yaml'), { merge: true }));
const processes = [services.main, services.webhook, services.worker];

test('compose.yaml is valid', () => {
	expect(composeProblems()).toBe('');
});

test('compose.yaml starts one main process, two webhook processors, two workers and what they need', () => {
	const replicas = Object.entries(services).map(([name, { deploy }]) => [
		name,
		deploy?.replicas ?? 1,
	]);
	expect(Object.fromEntries(replicas)).toEqual({
		postgres: 1,
		redis: 1,
		main: 1,
		webhook: 2,
		worker: 2,
		'keep-run-data': 1,
		proxy: 1,
	});
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

test('compose.yaml waits until PostgreSQL accepts connections over the network', () => {
	expect(services.postgres?.healthcheck?.test).toEqual(expect.arrayContaining(['-h', '127.0.0.1']));
});

test('compose.yaml sets the public URL by the names of n8n 1.123 and of n8n 2.41 in every process', () => {
	for (const one of processes) {
		expect(one?.environment?.WEBHOOK_URL).toMatch(/^\$\{PUBLIC_URL:/);
		expect(one?.environment?.WEBHOOK_URL).toBe(one?.environment?.N8N_WEBHOOK_URL);
	}
});
