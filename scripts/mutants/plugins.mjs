// What Stryker is told beside its options: which texts are no code, and which mutants are in the sample.

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

/** Three words and more. */
const PROSE = /\S \S.* \S/;

/** Leaves out what users read: no test is to hold every word of it. */
const texts = {
	shouldIgnore(path) {
		const { key, value } = path.isObjectProperty() ? path.node : {};
		const isNamed = TEXTS.has(key?.name ?? key?.value) && wordsOf(value) !== undefined;
		return isNamed || PROSE.test(wordsOf(path.node) ?? '') ? 'a text' : undefined;
	},
};

/**
 * Leaves out the `''` in `const [, year = ''] = found`: the compiler wants it, since it does not know that a group of
 * what matched is there.
 */
const absentGroups = {
	shouldIgnore(path) {
		const isDefault = path.key === 'right' && path.parent?.type === 'AssignmentPattern';
		const isInArray = path.parentPath?.parent?.type === 'ArrayPattern';
		return isDefault && isInArray && wordsOf(path.node) === '' ? 'for the compiler' : undefined;
	},
};

/** The words of a literal; undefined for what is none. */
function wordsOf(node) {
	if (node?.type === 'StringLiteral') return node.value;
	if (node?.type !== 'TemplateLiteral') return undefined;
	return node.quasis.map(({ value }) => value.raw).join('…');
}

/** Keeps so many of the planned mutants, drawn by a seed; all where nothing is said. */
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
	{ kind: 'Ignore', name: 'absent groups', value: absentGroups },
	{ kind: 'Reporter', name: 'sample', injectableClass: Sample },
];
