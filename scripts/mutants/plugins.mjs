// Plugins for Stryker: they leave out texts, and draw the sample.
import { drawnFrom } from './sample.mts';

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
		const { SURVEYS_MUTANTS: size, SURVEYS_MUTANTS_SEED: seed } = process.env;
		const open = mutantPlans.filter(({ plan }) => plan === 'Run');
		const drawn = drawnFrom(open, Number(size), Number(seed));
		mutantPlans.splice(0, mutantPlans.length, ...drawn);
	}
}

export const strykerPlugins = [
	{ kind: 'Ignore', name: 'texts', value: texts },
	{ kind: 'Reporter', name: 'sample', injectableClass: Sample },
];
