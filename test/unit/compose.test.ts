import { parse } from 'yaml';

import { composeProblems } from '../support/composeCheck.mts';
import { fileText } from '../support/files.mts';

// compose.yaml: valid, and of the parts and versions that the repository tests.

interface Service {
	image: string;
	build?: { dockerfile_inline: string };
	deploy?: { replicas: number };
	environment?: Record<string, string>;
}

const file: { services: Record<string, Service> } = parse(fileText('compose.yaml'), {
	merge: true,
});
const { services } = file;

test('is valid', () => {
	expect(composeProblems()).toBe('');
});

test('starts one main process, two webhook processors, two workers and what they need', () => {
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

test('has the tested n8n with this package in each of its processes', () => {
	const { name } = JSON.parse(fileText('package.json')) as { name: string };
	const host = JSON.parse(fileText('host/package.json')) as { dependencies: { n8n: string } };
	const image = services.main?.build?.dockerfile_inline;
	expect(image).toContain(`n8n:\${N8N_VERSION:-${host.dependencies.n8n}}\n`);
	expect(image).toContain(` ${name}@`);
	const processes = [services.main, services.webhook, services.worker];
	expect(processes.map((one) => one?.image)).toEqual(Array(3).fill(services.main?.image));
	expect(processes.map((one) => one?.environment?.EXECUTIONS_MODE)).toEqual(Array(3).fill('queue'));
});
