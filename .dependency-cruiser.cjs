// The rooms of the house, and what each of them may import: written down once, and held by `npm test` ("House").
// Data goes one way, from the node down to the network; an import that runs back up, or in a circle, is an error.
//
// The picture: npx depcruise nodes --config .dependency-cruiser.cjs --output-type dot --collapse 3
//
// A room is a pattern of paths and the rooms that it may import. Within a room everything may import everything,
// so long as it makes no circle.

const shared = {
	n8nInternals: ['^nodes/shared/n8nInternals\\.ts$', []],
	http: ['^nodes/shared/http/', ['n8nInternals']],
	parallel: ['^nodes/shared/parallel\\.ts$', []],
	nps: ['^nodes/shared/nps\\.ts$', []],
	triggerOutputs: ['^nodes/shared/triggerOutputs\\.ts$', ['http']],
	pagination: ['^nodes/shared/pagination/', ['http', 'parallel']],
	parameters: ['^nodes/shared/parameters/', ['http']],
	records: ['^nodes/shared/records\\.ts$', []],
	recordForms: ['^nodes/shared/recordForms\\.ts$', ['http', 'parameters', 'records']],
	operations: [
		'^nodes/shared/operations/',
		['http', 'n8nInternals', 'pagination', 'parallel', 'parameters', 'recordForms'],
	],
	node: ['^nodes/shared/node\\.ts$', ['http', 'operations', 'parameters']],
};

/** The rooms of one service, which know the shared ones and not the other service. */
function roomsOf(service) {
	const at = `^nodes/${service}/`;
	const rooms = {
		service: [`${at}service\\.ts$`, ['http']],
		parameters: [`${at}parameters/`, ['http', 'parameters']],
		records: [
			`${at}records/`,
			[
				...['http', 'nps', 'operations', 'parameters', 'recordForms', 'records'],
				...['.service', '.parameters'],
			],
		],
		lookups: [
			`${at}(?!service|resources)[a-z][A-Za-z]*\\.ts$`,
			['http', 'operations', 'pagination', 'parameters', '.service', '.parameters', '.records'],
		],
		resources: [
			`${at}resources(/|\\.ts$)`,
			[
				...['http', 'node', 'operations', 'pagination', 'parameters', 'records'],
				...['.service', '.parameters', '.records', '.lookups'],
			],
		],
		trigger: [
			`${at}trigger/[^/]+\\.ts$`,
			[
				...['http', 'nps', 'pagination', 'parameters', 'recordForms', 'triggerOutputs'],
				...['.service', '.parameters', '.records', '.lookups'],
			],
		],
		state: [`${at}trigger/state/`, ['http', '.trigger']],
		deliveries: [
			`${at}trigger/deliveries/`,
			[
				...['http', 'n8nInternals', 'nps', 'recordForms', 'triggerOutputs'],
				...['.service', '.records', '.trigger', '.state'],
			],
		],
		subscriptions: [
			`${at}trigger/subscriptions/`,
			['http', 'pagination', '.service', '.records', '.trigger', '.state'],
		],
		nodes: [
			`${at}${service}(Trigger)?\\.node\\.ts$`,
			[
				...['node', 'triggerOutputs', '.service', '.lookups', '.resources'],
				...['.trigger', '.deliveries', '.subscriptions'],
			],
		],
	};
	return Object.fromEntries(
		Object.entries(rooms).map(([name, [path, allowed]]) => [
			`${service}.${name}`,
			[path, allowed.map((room) => (room.startsWith('.') ? service + room : room))],
		]),
	);
}

const product = {
	credentials: ['^credentials/', []],
	...shared,
	...roomsOf('SurveyA'),
	...roomsOf('SurveyB'),
};

const sandbox = {
	'sandbox.core': ['^sandbox/core/', []],
	'sandbox.a': ['^sandbox/a/', ['sandbox.core']],
	'sandbox.b': ['^sandbox/b/', ['sandbox.core']],
	sandbox: ['^sandbox/index\\.ts$', ['sandbox.a', 'sandbox.b', 'sandbox.core']],
};

const outside = {
	host: ['^host/', []],
	support: [
		'^test/support/',
		[...Object.keys(product), 'sandbox', 'sandbox.a', 'sandbox.b', 'host'],
	],
	scripts: ['^scripts/', [...Object.keys(product), 'sandbox', 'host', 'support']],
	test: ['^test/', [...Object.keys(product), ...Object.keys(sandbox), 'host', 'scripts', 'bench']],
	bench: ['^bench/', ['sandbox', 'host', 'scripts', 'test']],
};

const rooms = { ...product, ...sandbox, ...outside };
const HOUSE = '^(credentials|nodes|sandbox|host|scripts|test|bench)/';

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
			name: 'every file is in a room',
			severity: 'error',
			from: { path: HOUSE, pathNot: Object.values(rooms).map(([path]) => path) },
			to: {},
		},
		...Object.entries(rooms).map(([name, [path, allowed]]) => ({
			name: `${name} may import ${allowed.join(', ') || 'no other room'}`,
			severity: 'error',
			from: { path },
			to: { path: HOUSE, pathNot: [path, ...allowed.map((room) => rooms[room][0])] },
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
			name: 'nothing lies about unused',
			severity: 'error',
			from: { path: '\\.node\\.ts$' },
			to: { path: '^nodes/.*\\.ts$', pathNot: '\\.node\\.ts$', reachable: false },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^host/node_modules/' },
		// Types are imports too: who needs a room's types knows that room.
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.dev.json' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'types'],
		},
	},
};
