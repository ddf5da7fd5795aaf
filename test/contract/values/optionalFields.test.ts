import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { fieldsOf, operationNames, runSample, samplesOf, serviceOf } from '../../support/samples';
import type { Sample } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// What a field adds to a request is the same, whichever others are filled in.

const sandbox = useSandbox();

type Value = INodeParameters[string];

const id = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });

const CAMPAIGNS = { surveyA: id('64a000000000000000000003'), surveyB: id('101') };

/** Values of optional fields. Those of choices and numbers follow from their type. */
const VALUES: Record<string, Value> = {
	bcc: 'bcc@example.com',
	cc: 'cc@example.com',
	comment: 'Fine',
	contactListId: id('11'),
	customerId: id('64b000000000000000000001'),
	email: 'ada@acme.example',
	endDate: '2026-03-04T00:00:00Z',
	message: 'Goodbye',
	postedAfter: '2026-03-01',
	postedBefore: '2026-03-04',
	startDate: '2026-03-01T00:00:00Z',
	tags: { tag: [{ name: 'pricing', category: 'PASSIVE' }] },
};

/** Columns of operations, each with a value. */
const NAMES = { firstName: 'Ada', lastName: 'Byron' };
const CUSTOMER = { ...NAMES, company: 'Acme', tags: 'vip' };
const CONTACT = { ...NAMES, 'attribute:plan': 'Team' };

function columnsOf({ node, name }: Sample): Record<string, string> {
	if (node === 'surveyB')
		return name === 'survey.send' ? CONTACT : { ...CONTACT, contactLists: '11' };
	return name === 'survey.sendLegacy' ? CUSTOMER : { ...CUSTOMER, 'property:Plan': 'Team' };
}

/** A way to fill in one optional field: changes the parameters of a sample. */
interface Optional {
	name: string;
	fill(parameters: INodeParameters): INodeParameters;
}

const ascending: Optional = {
	name: 'sort',
	fill: (parameters) => ({ ...parameters, sort: { property: { direction: 'asc' } } }),
};

function optionalsOf(sample: Sample): Optional[] {
	const fields = fieldsOf(sample.node, sample.name);
	const isMapped = fields.some(({ type }) => type === 'resourceMapper');
	const entries = fields
		.filter(({ type }) => type === 'collection')
		.flatMap((field) => entriesOf(field).map((one) => entry(field.name, one, sample)))
		// The path of a campaign's feedback takes none of the other filters: they are applied to what comes.
		.filter(({ name }) => sample.node === 'surveyB' || name !== 'campaignId');
	const sorts = fields.filter(({ name }) => name === 'sort').map(() => ascending);
	return [...(isMapped ? Object.entries(columnsOf(sample)).map(column) : []), ...entries, ...sorts];
}

/** Options of how a run behaves add nothing to a request, except for a message. */
function entriesOf({ name, options = [] }: INodeProperties): INodeProperties[] {
	const entries = options.filter((one): one is INodeProperties => 'type' in one);
	return name === 'options' ? entries.filter((one) => one.name === 'message') : entries;
}

function entry(
	collection: string,
	{ name, type, options = [] }: INodeProperties,
	{ node }: Sample,
): Optional {
	const [choice] = options.filter((one): one is INodePropertyOptions => 'value' in one);
	const ofNode = name === 'campaignId' ? CAMPAIGNS[node] : VALUES[name];
	const value = ofNode ?? choice?.value ?? (type === 'number' ? 7 : undefined);
	if (value === undefined) throw new Error(`Add a value for ${name}`);
	return {
		name,
		fill: (parameters) => ({
			...parameters,
			[collection]: { ...Object(parameters[collection]), [name]: value },
		}),
	};
}

const mappedAll = (value: Record<string, string>) =>
	mapped(
		value,
		Object.keys(value).map((one) => ({ id: one, type: 'string' })),
	);

const column = ([name, value]: [string, string]): Optional => ({
	name,
	fill: (parameters) => ({
		...parameters,
		...mappedAll({ ...Object(parameters.columns).value, [name]: value }),
	}),
});

/** Returns what the first request of a sample has in its query and body, by path. */
async function requested(sample: Sample, optionals: Optional[]): Promise<Map<string, string>> {
	const service = serviceOf(sandbox, sample.node);
	service.reset();
	const parameters = optionals.reduce((all, { fill }) => fill(all), sample.parameters);
	const { error } = await runSample(sandbox, { ...sample, parameters });
	expect([optionals.map(({ name }) => name), error?.message]).toEqual([
		expect.anything(),
		undefined,
	]);
	const sent = service.requests.find(({ method }) => method !== 'GET') ?? service.requests[0];
	return new Map(leaves({ path: sent?.path, query: sent?.query, body: sent?.body }));
}

function leaves(value: unknown, path = ''): Array<[path: string, text: string]> {
	if (typeof value !== 'object' || value === null) return [[path, String(value)]];
	return Object.entries(value).flatMap(([key, inside]) => leaves(inside, `${path}/${key}`));
}

const SAMPLES = (['surveyA', 'surveyB'] as const)
	.flatMap((node) => operationNames[node].map((name) => ({ node, name, parameters: {} })))
	.filter((sample) => optionalsOf(sample).length > 1)
	.map((sample) => [sample.node, sample.name, sample] as const);

test.each(SAMPLES)(
	'%s: an optional field of %s adds the same to the request, alone and with any other',
	async (node, name, { parameters }) => {
		const sample = samplesOf(sandbox).find((one) => one.node === node && one.name === name);
		const tested = sample ?? { node, name, parameters };
		const optionals = optionalsOf(tested);
		const base = await requested(tested, []);
		const added = new Map<Optional, Map<string, string>>();
		for (const one of optionals) {
			const alone = await requested(tested, [one]);
			const own = [...alone].filter(([path, text]) => base.get(path) !== text);
			expect([one.name, own.length]).not.toEqual([one.name, 0]);
			added.set(one, new Map(own));
		}
		for (const one of optionals) {
			for (const other of optionals.slice(optionals.indexOf(one) + 1)) {
				const parts = [...(added.get(one) ?? []), ...(added.get(other) ?? [])];
				// No two fields add to the same place.
				expect(new Set(parts.map(([path]) => path)).size).toBe(parts.length);
				const both = await requested(tested, [one, other]);
				expect(both).toEqual(new Map([...base, ...parts]));
			}
		}
	},
);
