// The modules of this repository and what each of them may import. `npm test` checks it ("Imports"). Imports go one way,
// from the node down to the network, and make no circle.
//
// A graph: npx depcruise nodes --config .dependency-cruiser.cjs --output-type dot --collapse 3
//
// A module is a pattern of paths and the names of the modules that it may import, besides itself.

const shared = {
	n8nInternals: ['^nodes/shared/n8nInternals\\.ts$', []],
	base: ['^nodes/shared/base/', ['n8nInternals']],
	http: ['^nodes/shared/http/', ['base', 'n8nInternals']],
	nodeError: ['^nodes/shared/nodeError\\.ts$', ['base', 'http', 'n8nInternals']],
	parallel: ['^nodes/shared/parallel\\.ts$', []],
	triggers: ['^nodes/shared/triggers/', ['base', 'fields', 'records']],
	paging: ['^nodes/shared/paging/', ['base', 'http', 'parallel']],
	polling: [
		'^nodes/shared/polling/',
		[
			...['base', 'http', 'n8nInternals', 'nodeError'],
			...['paging', 'fields', 'records', 'triggers'],
		],
	],
	fields: ['^nodes/shared/fields/', ['base', 'http']],
	mapping: ['^nodes/shared/mapping/', ['base', 'http', 'fields']],
	webhooks: [
		'^nodes/shared/webhooks/',
		['base', 'http', 'n8nInternals', 'nodeError', 'fields', 'records', 'triggers'],
	],
	records: ['^nodes/shared/records\\.ts$', ['base', 'fields']],
	operations: [
		'^nodes/shared/operations/',
		[
			...['base', 'http', 'mapping', 'n8nInternals', 'nodeError'],
			...['paging', 'parallel', 'fields', 'records'],
		],
	],
	node: [
		'^nodes/shared/node\\.ts$',
		['base', 'http', 'n8nInternals', 'nodeError', 'operations', 'fields'],
	],
};

/** What both services are about, and other services are not. */
const surveys = ['^nodes/surveys/', ['base', 'http', 'mapping', 'operations', 'fields', 'records']];

/** Returns the modules of one service. They may import shared modules, but not the other service. */
function modulesOf(service) {
	const at = `^nodes/${service}/`;
	const modules = {
		service: [`${at}service\\.ts$`, ['base', 'http']],
		parameters: [`${at}parameters/`, ['base', 'http', 'mapping', 'fields', 'surveys']],
		records: [
			`${at}(records|responses)\\.ts$`,
			[...['base', 'http', 'fields', 'records', 'surveys'], ...['.service', '.parameters']],
		],
		lookups: [
			`${at}(?!service|records|responses)[a-z][A-Za-z]*\\.ts$`,
			[
				...['base', 'http', 'mapping', 'operations', 'paging', 'fields', 'records'],
				...['.service', '.parameters', '.records'],
			],
		],
		resources: [
			`${at}resources/`,
			[
				...['base', 'http', 'operations', 'paging', 'fields', 'records', 'surveys'],
				...['.service', '.parameters', '.records', '.lookups'],
			],
		],
		trigger: [
			`${at}trigger/`,
			[
				...[
					'base',
					'http',
					'n8nInternals',
					'nodeError',
					'paging',
					'fields',
					'polling',
					'records',
					'surveys',
					'triggers',
					'webhooks',
				],
				...['.service', '.parameters', '.records', '.lookups'],
			],
		],
		nodes: [
			`${at}${service}(Trigger)?\\.node\\.ts$`,
			['node', 'polling', 'triggers', 'webhooks', '.service', '.lookups', '.resources', '.trigger'],
		],
	};
	return Object.fromEntries(
		Object.entries(modules).map(([name, [path, allowed]]) => [
			`${service}.${name}`,
			[path, allowed.map((one) => (one.startsWith('.') ? service + one : one))],
		]),
	);
}

const product = {
	credentials: ['^credentials/', ['http', 'SurveyA.service', 'SurveyB.service']],
	...shared,
	surveys,
	...modulesOf('SurveyA'),
	...modulesOf('SurveyB'),
};

const sandbox = {
	'sandbox.core': ['^sandbox/core/', []],
	'sandbox.a': ['^sandbox/a/', ['sandbox.core']],
	'sandbox.b': ['^sandbox/b/', ['sandbox.core']],
	sandbox: ['^sandbox/index\\.ts$', ['sandbox.a', 'sandbox.b', 'sandbox.core']],
};

const outside = {
	host: ['^host/', []],
	support: ['^test/support/', [...Object.keys(product), ...Object.keys(sandbox), 'host']],
	scripts: ['^scripts/', [...Object.keys(product), 'sandbox', 'host', 'support']],
	test: ['^test/', [...Object.keys(product), ...Object.keys(sandbox), 'host', 'scripts']],
	bench: ['^bench/', ['sandbox', 'host', 'scripts', 'test']],
};

const modules = { ...product, ...sandbox, ...outside };
const REPOSITORY = '^(credentials|nodes|sandbox|host|scripts|test|bench)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'no circle',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'every file belongs to a module',
			severity: 'error',
			from: { path: REPOSITORY, pathNot: Object.values(modules).map(([path]) => path) },
			to: {},
		},
		...Object.entries(modules).map(([name, [path, allowed]]) => ({
			name: `${name} may import ${allowed.join(', ') || 'no other module'}`,
			severity: 'error',
			from: { path },
			to: { path: REPOSITORY, pathNot: [path, ...allowed.map((one) => modules[one][0])] },
		})),
		{
			name: 'what is published imports nothing that n8n does not bring',
			severity: 'error',
			from: { path: '^(credentials|nodes)/' },
			to: {
				pathNot: [
					'^(credentials|nodes)/',
					'^node_modules/(n8n-workflow|luxon|@types/luxon)/',
					// Not zod itself: what it is differs between n8n's zod 3.25 and zod 4.
					'^node_modules/zod/v4/',
					'^crypto$',
				],
			},
		},
		{
			name: 'the sandbox and the scripts run without n8n',
			severity: 'error',
			from: { path: '^sandbox/|^scripts/(setup|processes|build)\\.' },
			to: { path: '^node_modules/n8n' },
		},
		{
			name: 'the set-up needs Node alone',
			severity: 'error',
			from: { path: '^scripts/(setup|lock)\\.mjs$' },
			to: { path: '^(?!scripts/lock\\.mjs$)', dependencyTypesNot: ['core'] },
		},
		{
			name: 'every import leads somewhere',
			severity: 'error',
			from: {},
			to: { couldNotResolve: true, pathNot: '^node:' },
		},
		{
			name: 'every file in nodes is used',
			severity: 'error',
			from: { path: '\\.node\\.ts$' },
			to: { path: '^nodes/.*\\.ts$', pathNot: '\\.node\\.ts$', reachable: false },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^host/node_modules/' },
		// An import of types is an import too.
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.dev.json' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'types'],
		},
	},
};
