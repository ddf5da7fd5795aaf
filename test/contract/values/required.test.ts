import { mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { fieldsOf, operationNames, serviceOf } from '../../support/samples';
import type { Sample } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// The editor marks an empty required field red before the workflow runs.

const sandbox = useSandbox();

const EMPTY = '={{ "" }}';

/** Options → Remove All allows an empty list, so the editor cannot require these. */
const MAY_BE_EMPTY = ['Tags', 'Topics'];

type Case = [name: string, node: Sample['node']];

const CASES: Case[] = [
	...operationNames.surveyA.map((name): Case => [name, 'surveyA']),
	...operationNames.surveyB.map((name): Case => [name, 'surveyB']),
];

test.each(CASES)(
	'%s of %s: each field that fails when empty is required in the editor',
	async (name, node) => {
		const fields = fieldsOf(node, name).filter(
			({ displayOptions: { show, hide } = {} }) => !hide?.['@tool'] && !show?.['@tool'],
		);
		const empty = fields
			.filter(({ type }) => ['string', 'number', 'dateTime', 'resourceLocator'].includes(type))
			.map((field): [string, string] => [field.name, EMPTY]);
		const { error } = await runOperation(serviceOf(sandbox, node), name, {
			...Object.fromEntries(empty),
			...(fields.some((field) => field.name === 'columns') ? mapped({ email: EMPTY }) : {}),
		});
		const labels = [...(error?.message ?? '').matchAll(/'([^']+)' is missing/g)].map(
			([, label]) => label,
		);
		for (const { displayName, required } of fields) {
			if (!labels.includes(displayName) || MAY_BE_EMPTY.includes(displayName)) continue;
			expect({ displayName, required }).toEqual({ displayName, required: true });
		}
		const marked = fields.filter(
			({ required, type }) => required && ['string', 'dateTime', 'resourceLocator'].includes(type),
		);
		expect(labels).toEqual(expect.arrayContaining(marked.map(({ displayName }) => displayName)));
	},
);
