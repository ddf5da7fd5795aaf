// Plugins for Stryker: they leave out texts, and draw the sample.

const TEXTS = new Set([
	'action',
	'default',
	'description',
	'displayName',
	'eventTriggerDescription',
	'hint',
	'message',
	'name',
	'placeholder',
	'problem',
	'subtitle',
]);

/** Three words or more. */
const PROSE = /\S \S.* \S/;

/** Leaves out texts for users, because tests do not compare every word. */
const texts = {
	shouldIgnore(path) {
		const { key, value } = path.isObjectProperty() ? path.node : {};
		const isNamed = TEXTS.has(key?.name ?? key?.value) && wordsOf(value) !== undefined;
		return isNamed || PROSE.test(wordsOf(path.node) ?? '') ? 'a text' : undefined;
	},
};

/** Returns the text of a literal; undefined for other nodes. */
function wordsOf(node) {
	if (node?.type === 'StringLiteral') return node.value;
	if (node?.type !== 'TemplateLiteral') return undefined;
	return node.quasis.map(({ value }) => value.raw).join('…');
}

/** Keeps a random sample of the mutants: SURVEYS_MUTANTS of them, by default all. */
class Sample {
	onMutationTestingPlanReady({ mutantPlans }) {
		const size = Number(process.env.SURVEYS_MUTANTS || Infinity);
		const random = randomFrom(Number(process.env.SURVEYS_MUTANTS_SEED));
		const open = mutantPlans.filter(({ plan }) => plan === 'Run');
		const drawn = open
			.map((plan) => ({ plan, place: random() }))
			.sort((one, other) => one.place - other.place)
			.slice(0, size)
			.map(({ plan }) => plan);
		mutantPlans.splice(0, mutantPlans.length, ...drawn);
	}
}

function randomFrom(seed) {
	let state = seed;
	return () => {
		state = (state * 1103515245 + 12345) % 2147483648;
		return state / 2147483648;
	};
}

export const strykerPlugins = [
	{ kind: 'Ignore', name: 'texts', value: texts },
	{ kind: 'Reporter', name: 'sample', injectableClass: Sample },
];
