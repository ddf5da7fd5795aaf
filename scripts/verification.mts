// Writes docs/verification.md from docs/verification.yaml and the nodes. Run: `npx tsx scripts/verification.mts`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

import type { INodeProperties, INodeType } from 'n8n-workflow';
import { parse } from 'yaml';
import { z } from 'zod';

import { SurveyAApi } from '../credentials/SurveyAApi.credentials.ts';
import { SurveyBApi } from '../credentials/SurveyBApi.credentials.ts';
import { SurveyA } from '../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../nodes/SurveyA/SurveyATrigger.node.ts';
import { SurveyB } from '../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../nodes/SurveyB/SurveyBTrigger.node.ts';

const PAGE = 'docs/verification.md';

const ruleSchema = z.object({
	rule: z.string(),
	kept: z.union([z.boolean(), z.literal('publisher')]).default(true),
	note: z.string().optional(),
	fact: z.string().optional(),
	lint: z.array(z.string()).default([]),
	tests: z.array(z.object({ file: z.string(), title: z.string() })).default([]),
	files: z.array(z.string()).default([]),
});
const fileSchema = z.array(z.object({ group: z.string(), rules: z.array(ruleSchema) }));

type Rule = z.infer<typeof ruleSchema>;

/** Reads the rules, by group. */
export function readRules() {
	return fileSchema.parse(parse(readFileSync('docs/verification.yaml', 'utf8')));
}

const actionNodes: INodeType[] = [new SurveyA(), new SurveyB()];
const triggers: INodeType[] = [new SurveyATrigger(), new SurveyBTrigger()];
const nodes = [...actionNodes, ...triggers];
const credentials = [new SurveyAApi(), new SurveyBApi()];

/** Returns the properties of nodes, those in collections included. */
function propertiesIn(of: INodeType[]): INodeProperties[] {
	return of.flatMap(({ description }) => withInner(description.properties));
}

function withInner(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...withInner((property.options ?? []).filter((option) => 'type' in option)),
		...(property.options ?? []).flatMap((option) =>
			'values' in option ? withInner(option.values) : [],
		),
	]);
}

/** Returns the operations that people choose from. */
function operations() {
	return propertiesIn(actionNodes)
		.filter(({ name, displayName }) => name === 'operation' && displayName === 'Operation')
		.flatMap(({ options = [] }) => options)
		.flatMap((option) => ('value' in option ? [option] : []));
}

interface Fact {
	isKept: boolean;
	text: string;
}

function all<One>(items: One[], keeps: (item: One) => boolean, text: string): Fact {
	return { isKept: items.length > 0 && items.every(keeps), text };
}

const unique = (names: string[]) => [...new Set(names)].sort();

const manifest = () => JSON.parse(readFileSync('package.json', 'utf8'));

/** The number of fields that a Simplify switch names in its hint. */
const simplifiedCount = ({ hint = '' }: INodeProperties) => hint.split(',').length;

/** Facts about the package, by the name that a rule gives. */
export const FACTS: Record<string, () => Fact> = {
	strict: () => ({ isKept: manifest().n8n.strict === true, text: '`strict` is on' }),
	disabled: () => {
		const files = ['nodes', 'credentials'].flatMap((folder) =>
			readdirSync(folder, { recursive: true, encoding: 'utf8' })
				.filter((name) => name.endsWith('.ts'))
				.map((name) => `${folder}/${name}`),
		);
		const isClean = (file: string) => !readFileSync(file, 'utf8').includes('eslint-disable');
		return all(files, isClean, 'No `eslint-disable` in any source file');
	},
	license: () => ({ isKept: manifest().license === 'MIT', text: manifest().license }),
	dependencies: () => ({
		isKept: manifest().dependencies === undefined,
		text: `Peer dependencies: ${Object.keys(manifest().peerDependencies).join(', ')}`,
	}),
	passwords: () => {
		const keys = credentials.flatMap(({ properties }) =>
			properties.filter(({ name }) => /key|token|secret/i.test(name)),
		);
		return all(
			keys,
			(key) => key.typeOptions?.password === true,
			'The API keys of both credentials',
		);
	},
	order: () => ({
		isKept: actionNodes.every(({ description: { properties } }) => {
			const names = unique(properties.slice(0, 2).map(({ name }) => name));
			return names.every((name) => name === 'resource' || name === 'operation');
		}),
		text: 'Both action nodes begin with Resource and Operation',
	}),
	operations: () => {
		const words = operations().map(({ name }) => name);
		return all(
			words,
			(name) => !/^(List|Add|Remove|Upsert|Fetch)$/.test(name),
			'All operations of both nodes',
		);
	},
	locators: () => {
		const locators = propertiesIn(nodes).filter(({ type }) => type === 'resourceLocator');
		const names = unique(locators.map(({ displayName }) => displayName)).join(', ');
		return all(locators, ({ modes = [] }) => modes[0]?.name === 'list', names);
	},
	simplify: () => {
		const switches = propertiesIn(nodes).filter(({ name }) => name === 'simplify');
		const most = Math.max(...switches.map(simplifiedCount));
		const keeps = (one: INodeProperties) => simplifiedCount(one) <= 10 && one.default === true;
		return all(switches, keeps, `On by default, with ${most} fields at most`);
	},
	output: () => {
		const outputs = propertiesIn(actionNodes).filter(({ name }) => name === 'output');
		const keeps = (one: INodeProperties) => one.options?.length === 3;
		return all(outputs, keeps, 'Every operation that returns such records');
	},
	placeholders: () => {
		const texts = [...propertiesIn(nodes), ...credentials.flatMap((one) => one.properties)]
			.filter(({ type }) => type !== 'collection' && type !== 'fixedCollection')
			.flatMap((one) => [one, ...(one.modes ?? [])])
			.flatMap(({ placeholder }) => placeholder ?? []);
		return all(texts, (text) => text.startsWith('e.g. '), 'All placeholders');
	},
	booleans: () => {
		const switches = propertiesIn(nodes).filter(({ type }) => type === 'boolean');
		const keeps = ({ description = '' }: INodeProperties) => description.startsWith('Whether ');
		return all(switches, keeps, 'All booleans');
	},
	actions: () => {
		const texts = operations().map(({ action }) => action ?? '');
		return all(texts, (text) => /^[A-Z](?!.*\b(an?|the)\b)/.test(text), 'All actions');
	},
	triggers: () =>
		all(
			triggers,
			({ description: { displayName, properties } }) =>
				displayName.endsWith(' Trigger') &&
				// n8n puts Poll Times in front while it loads a polling trigger.
				properties.find(({ name }) => name !== 'pollTimes')?.displayName === 'Trigger On',
			'Both triggers',
		),
	icons: () => {
		const icons = [...nodes.map(({ description }) => description), ...credentials].map(
			({ icon }) => icon,
		);
		const exists = (path: string) => existsSync(path.replace(/^file:(\.\.\/)+/, ''));
		return all(
			icons,
			(icon) => typeof icon === 'object' && exists(icon.light) && exists(icon.dark),
			'All nodes and credentials',
		);
	},
};

/** Returns whether a rule is kept: by the file, and by the nodes where a fact says so. */
function keptText({ kept, fact }: Rule): string {
	if (kept === 'publisher') return 'the publisher fills it in';
	const isKept = kept && (fact === undefined || FACTS[fact]?.().isKept === true);
	return isKept ? 'yes' : '**no**';
}

/** Returns the text of docs/verification.md. */
export function verificationPage(): string {
	const sections = readRules().map(({ group, rules }) => `## ${group}\n\n${table(rules)}`);
	return [
		'# Verification by n8n',
		"For a publisher who submits this package to n8n, and for n8n's reviewers: every rule of n8n's [verification guidelines](https://docs.n8n.io/connect/create-nodes/build-your-node/reference/verification-guidelines) and [UX guidelines](https://docs.n8n.io/connect/create-nodes/build-your-node/reference/ux-guidelines), whether the package keeps it, and what checks it.",
		"Made from `docs/verification.yaml` and the nodes by `npx tsx scripts/verification.mts`. `test/unit/verification.test.mts` checks that the page is current, that every named test exists, and that every named rule is on in n8n's linter.",
		...sections,
	]
		.join('\n\n')
		.concat('\n');
}

function table(rules: Rule[]): string {
	const rows = rules.map((rule) => [
		rule.rule,
		keptText(rule),
		[...(rule.fact ? [FACTS[rule.fact]?.().text] : []), rule.note].filter(Boolean).join('. '),
		checksOf(rule).join('<br>'),
	]);
	return [['Rule', 'Kept', 'In this package', 'Checked by'], ['---', '---', '---', '---'], ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

function checksOf({ fact, lint, tests, files }: Rule): string[] {
	return [
		...(fact ? ['`test/unit/verification.test.mts`'] : []),
		...lint.map((rule) => `linter: \`${rule.split('/').at(-1)}\``),
		...tests.map(({ file }) => `\`${file}\``),
		...files.map((file) => `[${file}](${file.startsWith('docs/') ? file.slice(5) : `../${file}`})`),
	];
}

if (process.argv[1]?.endsWith('verification.mts')) writeFileSync(PAGE, verificationPage());
