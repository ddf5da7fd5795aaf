import { eventTypeOf, hookEvents } from '../../nodes/SurveyB/events';
import { general as generalA, resources as resourcesA } from '../../nodes/SurveyA/resources';
import { EVENT_LISTS } from '../../nodes/SurveyA/trigger/pollingTrigger';
import { general as generalB, resources as resourcesB } from '../../nodes/SurveyB/resources';
import { titleOf } from '../../nodes/shared/base/text';
import type { Resources } from '../../nodes/shared/operations/operation';
import type { RecordForms } from '../../nodes/shared/records';
import { expectFile } from '../support/files.mts';

interface Named {
	name: string;
	record?: RecordForms;
}

/** Returns the forms of each record, with the resources that have it, or else its events. */
function recordsOf(service: string, resources: Resources, events: Named[]) {
	const ofResources = Object.entries(resources).flatMap(([resource, operations]) =>
		Object.values(operations).map(({ record }) => ({ name: titleOf(resource), record })),
	);
	const known = ofResources.map(({ record }) => record);
	const named = [...ofResources, ...events.filter(({ record }) => !known.includes(record))];
	const forms = new Set(named.flatMap(({ record }) => record ?? []));
	return [...forms].map((one): [title: string, forms: RecordForms] => {
		const names = named.filter(({ record }) => record === one).map(({ name }) => name);
		return [`${service}: ${[...new Set(names)].join(', ')}`, one];
	});
}

const EVENTS_OF_B = hookEvents.map(({ name, value }) => ({
	name,
	record: eventTypeOf(value)?.record,
}));

const RECORDS = [
	...recordsOf('Survey A', resourcesA, EVENT_LISTS),
	...recordsOf('Survey B', resourcesB, EVENTS_OF_B),
];

/** Returns the raw fields of the contract that a simplified field reads. */
function pathsOf(field: RecordForms['simplified'][string], { raw }: RecordForms): string[] {
	if (typeof field === 'string') return [field];
	const read = new Set<string>();
	field(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
	return [...read].filter((name) => name in raw().shape);
}

/** Returns the simplified fields, with the raw fields that they come from in brackets unless the name is the same. */
function simplifiedFields(forms: RecordForms): string[] {
	return Object.entries(forms.simplified).map(([name, field]) => {
		const paths = pathsOf(field, forms);
		return paths.join() === name ? name : `${name} (${paths.join(', ')})`;
	});
}

/** Returns the raw fields of which no simplified field is made. */
function rawOnly(forms: RecordForms): string[] {
	const used = Object.values(forms.simplified).flatMap((field) =>
		pathsOf(field, forms).map((path) => path.split('.')[0]),
	);
	return Object.keys(forms.raw().shape).filter((name) => !used.includes(name));
}

const code = (names: string[]) => (names.length > 0 ? `\`${names.join(', ')}\`` : 'none');

function section([title, forms]: (typeof RECORDS)[number]): string {
	return [
		`## ${title}`,
		`Simplified: ${code(simplifiedFields(forms))}`,
		`Only raw: ${code(rawOnly(forms))}`,
	].join('\n\n');
}

const page = `# Records

For people who map the output of Survey A and Survey B: the fields of a record with Simplify on, and those that only the raw record has. A field that comes from another one names it in brackets. This page is evidence, written by \`npm run update\`.

Numbers, true and false have the types of the API documentation, also where the service writes text. Raw records are as they came. Properties of Survey A and attributes of Survey B come with Answers as Columns, or raw. It makes a column of each answer, property and attribute, with a list as text, since a sheet or a data table holds one value per cell. Properties then have \`(property)\` behind their name, attributes of the survey \`(survey)\`: no question is mistaken for one. The simplified \`tags\` of Survey B are one text.

n8n's data tables have an \`id\` of their own and drop ours in Map Automatically, and their column names have letters, digits and \`_\` only. Map each column manually there: \`{{ $json.id }}\` into a column \`feedback_id\`, a question by its name in brackets.

${RECORDS.map(section).join('\n\n')}
`;

test('docs/evidence/records.md lists every field of the contract with its simplified name', () => {
	expectFile('docs/evidence/records.md', page);
});

test.each(RECORDS)('%s has at most ten simplified fields', (_, { simplified }) => {
	expect(Object.keys(simplified).length).toBeLessThanOrEqual(10);
});

test.each(RECORDS)(
	'%s has only simplified fields that come from a field of the contract',
	(_, forms) => {
		const raw = Object.keys(forms.raw().shape);
		for (const field of Object.values(forms.simplified)) {
			const paths = pathsOf(field, forms);
			expect(paths).not.toEqual([]);
			for (const path of paths) expect(raw).toContain(path.split('.')[0]);
		}
	},
);

test.each(RECORDS)('%s offers agents exactly the raw fields of the contract', (_, forms) => {
	expect(forms.raw.fields).toEqual(Object.keys(forms.raw().shape));
});

test.each([
	['SurveyA', resourcesA, generalA],
	['SurveyB', resourcesB, generalB],
] as const)(
	'the text of %s for agents that build workflows names each resource with a simplified form',
	(node, resources: Resources, general) => {
		const [, named = ''] = /\. ([^.\n]*): simplify: boolean/.exec(general) ?? [];
		const simplified = Object.entries(resources)
			.filter(([, operations]) => Object.values(operations).some(({ record }) => record))
			.map(([resource]) => resource.toLowerCase());
		const place = `simplified of nodes/${node}/resources/index.ts`;
		const written = named.toLowerCase().split(', ').sort();
		expect({ [place]: written }).toEqual({ [place]: simplified.sort() });
	},
);
