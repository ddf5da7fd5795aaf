import { existsSync } from 'node:fs';

import type { INodeProperties, INodeType } from 'n8n-workflow';

import { SurveyAApi } from '../../credentials/SurveyAApi.credentials';
import { SurveyBApi } from '../../credentials/SurveyBApi.credentials';
import { SurveyA } from '../../nodes/SurveyA/SurveyA.node';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node';

// n8n's UX guidelines, as far as its linter does not check them. Functions build the descriptions, which the linter
// does not follow.

const actionNodes: INodeType[] = [new SurveyA(), new SurveyB()];
const triggers: INodeType[] = [new SurveyATrigger(), new SurveyBTrigger()];
const nodes = [...actionNodes, ...triggers];
const credentials = [new SurveyAApi(), new SurveyBApi()];

/** Returns properties with those in collections. */
function withInner(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...withInner((property.options ?? []).filter((option) => 'type' in option)),
		...(property.options ?? []).flatMap((option) =>
			'values' in option ? withInner(option.values) : [],
		),
	]);
}

const all = nodes.flatMap(({ description }) => withInner(description.properties));
const ofType = (type: string) => all.filter((property) => property.type === type);
const named = (name: string) => all.filter((property) => property.name === name);

const operations = named('operation')
	.flatMap(({ options = [] }) => options)
	.flatMap((option) => ('value' in option ? [option] : []));

test('an action node begins with Resource and Operation', () => {
	for (const { description } of actionNodes) {
		expect(description.properties.slice(0, 2)).toMatchObject(
			['Resource', 'Operation'].map((displayName) => ({ displayName, noDataExpression: true })),
		);
	}
});

test("no operation has a name that n8n's guidelines replace", () => {
	expect(operations.length).toBeGreaterThan(40);
	expect(operations.filter(({ name }) => /^(List|Add|Remove|Upsert|Fetch)$/.test(name))).toEqual(
		[],
	);
});

test('an action is a sentence without articles', () => {
	const actions = operations.map(({ action = '' }) => action);
	expect(actions.filter((action) => !/^[A-Z](?!.*\b(an?|the)\b)/.test(action))).toEqual([]);
});

test('a resource locator begins with From List', () => {
	const locators = ofType('resourceLocator');
	expect(locators.length).toBeGreaterThan(5);
	expect(locators.filter(({ modes = [] }) => !modes.some(({ name }) => name === 'list'))).toEqual(
		[],
	);
});

test('no hint is longer than 120 characters', () => {
	const hints = all.map(({ hint = '' }) => hint);
	expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
});

test('each choice in Options says what holds without it, always in the same words', () => {
	const choices = ofType('collection')
		.filter(({ name }) => name === 'options')
		.flatMap(({ options = [] }) => options)
		.filter((option) => 'type' in option && option.type === 'options');
	expect(choices.length).toBeGreaterThan(10);
	const texts = choices.map((choice) => ('description' in choice ? choice.description : undefined));
	expect(texts.filter((text) => !/Without this option, [^.]+\.$/.test(text ?? ''))).toEqual([]);
});

test('no choice in a collection has a preset: an option that was added says nothing until somebody chooses', () => {
	const choices = ofType('collection')
		.flatMap(({ options = [] }) => options)
		.filter((option) => 'type' in option && option.type === 'options');
	expect(new Set(choices.map(({ name }) => name)).size).toBeGreaterThan(9);
	expect(choices.filter((choice) => 'default' in choice && choice.default !== '')).toEqual([]);
});

test('no parameter has a name that n8n leaves out of what it tells agents', () => {
	const names = nodes.flatMap(({ description }) => description.properties.slice(2));
	expect(names.filter(({ name }) => name === 'mode' || name === 'resource')).toEqual([]);
});

test('Options is the last field of each operation that has options', () => {
	for (const { description } of actionNodes) {
		const fields = new Map<string, string[]>();
		for (const { name, displayOptions } of description.properties) {
			const { resource, operation } = displayOptions?.show ?? {};
			const key = `${resource}.${operation}`;
			const names = [...(fields.get(key) ?? []), name];
			if (operation && name !== 'toolDescription') fields.set(key, names);
		}
		const withOptions = [...fields.values()].filter((names) => names.includes('options'));
		expect(withOptions.length).toBeGreaterThan(7);
		expect(new Set(withOptions.map((names) => names.at(-1)))).toEqual(new Set(['options']));
	}
});

test('Simplify is on by default', () => {
	const fields = named('simplify');
	expect(fields.map((property) => property.default)).not.toContain(false);
});

test('Filters and Simplify of a trigger are shown for the same events', () => {
	for (const { description } of triggers) {
		const [simplify, filters] = ['simplify', 'filters'].map((name) =>
			description.properties.find((property) => property.name === name),
		);
		expect(filters?.displayOptions?.show).toEqual(simplify?.displayOptions?.show);
	}
});

test("an AI agent's tool offers three outputs in place of Simplify", () => {
	const outputs = named('output');
	expect(outputs.length).toBeGreaterThan(0);
	expect(outputs.filter(({ options }) => options?.length !== 3)).toEqual([]);
	for (const { displayOptions } of ['output', 'outputFields', 'toolDescription'].flatMap(named))
		expect(displayOptions?.show?.['@tool']).toEqual([true]);
	const switches = actionNodes.flatMap(({ description }) => description.properties);
	for (const { displayOptions } of switches.filter(({ name }) => name === 'simplify'))
		expect(displayOptions?.hide?.['@tool']).toEqual([true]);
});

test('a placeholder of a field begins with e.g.', () => {
	const fields = [...all, ...credentials.flatMap(({ properties }) => properties)]
		.filter(({ type }) => type !== 'collection' && type !== 'fixedCollection')
		.flatMap((field) => [field, ...(field.modes ?? [])])
		.flatMap(({ placeholder }) => placeholder ?? []);
	expect(fields.filter((text) => !text.startsWith('e.g. '))).toEqual([]);
});

test('the description of a switch begins with Whether', () => {
	const texts = ofType('boolean').map(({ description = '' }) => description);
	expect(texts.filter((text) => !text.startsWith('Whether '))).toEqual([]);
});

test('a field for sentences has several rows', () => {
	const labels = ['Message', 'Reply', 'Comment', 'Tool Description'];
	const fields = ofType('string').filter(({ displayName }) => labels.includes(displayName));
	expect(fields.length).toBeGreaterThan(4);
	expect(fields.filter(({ typeOptions }) => (typeOptions?.rows ?? 1) < 3)).toEqual([]);
});

test('the first field of a trigger is Trigger On, with one event chosen', () => {
	for (const { description } of triggers) {
		// n8n puts Poll Times in front while it loads a polling trigger.
		const first = description.properties.find(({ name }) => name !== 'pollTimes');
		expect(first?.displayName).toBe('Trigger On');
		expect(first?.default).toHaveLength(1);
	}
});

test('every node and credential has the light and the dark icon of its service', () => {
	const pathOf = (file: string) => file.replace(/^file:(\.\.\/)+/, '');
	for (const { name, icon } of [...nodes.map(({ description }) => description), ...credentials]) {
		const service = name.replace(/(Trigger|Api)$/, '');
		const { light = '', dark = '' } = typeof icon === 'object' ? icon : {};
		const paths = [light, dark].map(pathOf);
		expect([name, ...paths]).toEqual([name, `icons/${service}.svg`, `icons/${service}.dark.svg`]);
		expect([name, ...paths.map((path) => existsSync(path))]).toEqual([name, true, true]);
	}
});

test('an API key is a password field', () => {
	const keys = credentials.flatMap(({ properties }) =>
		properties.filter(({ name }) => /key|token|secret/i.test(name)),
	);
	expect(keys).toHaveLength(2);
	expect(keys.filter(({ typeOptions }) => typeOptions?.password !== true)).toEqual([]);
});

test('a boolean in a collection is added switched on, since its name says what it does', () => {
	const collections = nodes
		.flatMap(({ description }) => description.properties)
		.filter(({ type }) => type === 'collection');
	const booleans = withInner(collections).filter(({ type }) => type === 'boolean');
	expect(booleans.length).toBeGreaterThan(10);
	expect(booleans.filter((property) => property.default !== true)).toEqual([]);
});

test('a choice of outputs takes no expression', () => {
	const fields = named('routeBy');
	expect(fields).toHaveLength(2);
	expect(fields.filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
});

test('Columns is loaded anew for another operation', () => {
	for (const { typeOptions, ...mapper } of ofType('resourceMapper')) {
		expect(mapper).toMatchObject({
			noDataExpression: true,
			default: { mappingMode: 'defineBelow' },
		});
		expect(typeOptions?.loadOptionsDependsOn).toEqual(['resource', 'operation']);
		expect(typeOptions?.resourceMapper).toMatchObject({ addAllFields: false });
	}
});

test.each([
	['limit', 'returnAll', false],
	['outputFields', 'output', 'selectedFields'],
	['emailColumn', '/columns.mappingMode', 'autoMapInputData'],
	['ignoredColumns', '/columns.mappingMode', 'autoMapInputData'],
])('%s is shown only if %s is %j', (name, choice, value) => {
	const fields = named(name);
	expect(fields.length).toBeGreaterThan(0);
	for (const { displayOptions } of fields) expect(displayOptions?.show?.[choice]).toEqual([value]);
});

test('no text is empty or lacks a word between its spaces', () => {
	const properties = JSON.stringify(nodes.map(({ description }) => description.properties));
	const texts = properties.matchAll(
		/"(?:displayName|name|description|placeholder|hint|singular|plural)":"(.*?)"/g,
	);
	expect([...texts].filter(([, text = '']) => /^$|^ | $| {2}/.test(text))).toEqual([]);
});

test('a text field of one row has a description or an example', () => {
	const fields = ofType('string').filter(({ typeOptions }) => typeOptions?.rows === undefined);
	expect(fields.filter(({ description, placeholder }) => !(description ?? placeholder))).toEqual(
		[],
	);
});
