import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { isObject } from '../../../nodes/shared/base/json';
import type { Resources } from '../../../nodes/shared/operations/operation';
import { resources as resourcesA } from '../../../nodes/SurveyA/resources';
import { resources as resourcesB } from '../../../nodes/SurveyB/resources';
import { onItsOwnClock } from '../../support/clock.mts';
import { hasNoEnd, testInCombinations, type Combination } from '../../support/combinations.mts';
import type { NodeResult } from '../../support/engine';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Return All in every list, whichever ways the services take where their contracts are silent.

const sandbox = useSandbox();

const NPS = '64a000000000000000000003';

/** A list, and the records of the service that it has to return. */
interface List {
	name: string;
	parameters?: INodeParameters;
	/** Returns the key by which records of the output are compared with stored ones. */
	key: (record: IDataObject) => unknown;
	stored: () => unknown[];
}

const byId = ({ id }: IDataObject) => String(id);
const sentTo = ({ email, sentDate }: IDataObject) => `${String(email)} ${String(sentDate)}`;
const answered = ({ email, createdDate, score, comment }: IDataObject) =>
	JSON.stringify([email, createdDate, score, comment]);
const idsOf = (records: object[]) => records.map((record) => byId({ ...record }));

const FEEDBACK_OF_CAMPAIGN: List = {
	name: 'feedback.getAll',
	parameters: { filters: { campaignId: NPS } },
	key: byId,
	stored: () => idsOf(sandbox.a.state.feedback.filter(({ campaignId }) => campaignId === NPS)),
};

const LISTS_OF_A: List[] = [
	{
		name: 'customer.getAll',
		key: byId,
		stored: () => idsOf([...sandbox.a.state.customers.values()]),
	},
	{ name: 'company.getAll', key: byId, stored: () => idsOf(sandbox.a.state.companies) },
	{ name: 'feedback.getAll', key: byId, stored: () => idsOf(sandbox.a.state.feedback) },
	FEEDBACK_OF_CAMPAIGN,
	{
		name: 'outbox.getAll',
		key: sentTo,
		stored: () => sandbox.a.state.outbox.map((survey) => sentTo({ ...survey })),
	},
	{ name: 'campaign.getAll', key: byId, stored: () => idsOf(sandbox.a.state.campaigns) },
	{ name: 'template.getAll', key: byId, stored: () => idsOf(sandbox.a.state.templates) },
	{
		name: 'report.getAll',
		key: ({ campaignId }) => String(campaignId),
		stored: () => idsOf(sandbox.a.state.campaigns),
	},
	{
		name: 'feedback.getAllLegacy',
		key: answered,
		stored: () => sandbox.a.state.feedback.map((feedback) => answered({ ...feedback })),
	},
	{
		name: 'campaign.getAllLegacy',
		key: byId,
		stored: () =>
			idsOf(
				sandbox.a.state.campaigns.filter(
					({ isActive, type }) => isActive && type === 'transactional',
				),
			),
	},
	{ name: 'template.getAllLegacy', key: byId, stored: () => idsOf(sandbox.a.state.templates) },
];

/** The contract shows neither an envelope nor pages of it. */
const CONTACT_LISTS: List = {
	name: 'contactList.getAll',
	key: byId,
	stored: () => idsOf(sandbox.b.state.lists),
};

const LISTS_OF_B: List[] = [
	{
		name: 'contact.getAll',
		key: byId,
		stored: () => idsOf([...sandbox.b.state.contacts.values()]),
	},
	CONTACT_LISTS,
	{ name: 'feedback.getAll', key: byId, stored: () => idsOf(sandbox.b.state.feedback) },
	{ name: 'commonReply.getAll', key: byId, stored: () => idsOf(sandbox.b.state.commonReplies) },
	{
		name: 'metric.getAll',
		key: ({ campaign_name }) => campaign_name,
		stored: () =>
			sandbox.b.state.campaigns
				.filter(({ permitted }) => permitted)
				.map(({ record }) => record.name),
	},
];

/** Empties both accounts. The campaigns of A stay: feedback is read of one of them. */
function empty(): void {
	for (const { state } of [sandbox.a, sandbox.b]) {
		for (const records of Object.values(state)) {
			if (records instanceof Map) records.clear();
			else if (Array.isArray(records) && records !== sandbox.a.state.campaigns) records.length = 0;
		}
	}
}

/** Adds a few pages of everything. Some records share a date, as after an import. */
function fill(): void {
	const { a, b } = sandbox;
	a.seedCustomers(230);
	a.seedCompanies(120);
	a.seedFeedback(230);
	a.seedOutbox(230);
	for (const rows of [[...a.state.customers.values()], a.state.feedback]) {
		rows.forEach((row, i) => (row.createdDate = rows[i - (i % 3)]?.createdDate ?? ''));
	}
	b.seedContacts(230);
	b.seedFeedback(230);
	for (const { state } of [a, b]) Object.values(state).forEach(addCopies);
}

/** Repeats the first record of a list that has few of them, with other IDs. */
function addCopies(records: unknown): void {
	if (!Array.isArray(records) || records.length > 100) return;
	const [first] = records;
	if (!isObject(first) || !('id' in first)) return;
	for (let i = 0; i < 120; i++) {
		const id = typeof first.id === 'number' ? 500_000 + i : `65a0${String(i).padStart(20, '0')}`;
		records.push({ ...first, id });
	}
}

test.each([
	['surveyA', resourcesA, 'LISTS_OF_A', LISTS_OF_A],
	['surveyB', resourcesB, 'LISTS_OF_B', LISTS_OF_B],
] as const)('every list of %s is compared with the records of the service', (...tested) => {
	const [node, resources, table, lists] = tested;
	const known = lists.map(({ name }) => name);
	const missing = listsIn(resources).filter((name) => !known.includes(name));
	const file = 'test/contract/silences/lists.test.mts';
	expect(missing.map((name) => `Add ${name} of ${node} to ${table} in ${file}`)).toEqual([]);
});

/** Returns the operations with Return All. */
function listsIn(resources: Resources): string[] {
	return Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations)
			.filter(([, { fields }]) => fields.some(({ name }) => name === 'returnAll'))
			.map(([operation]) => `${resource}.${operation}`),
	);
}

/** Reads a whole list. */
async function read(
	service: 'a' | 'b',
	{ name, parameters }: List,
): Promise<Pick<NodeResult, 'items' | 'error' | 'hints'>> {
	const settings = { returnAll: true, simplify: false, ...parameters };
	return await onItsOwnClock(async () => await runOperation(sandbox[service], name, settings));
}

/** Returns true where nobody could return all records, so that an error is right. */
function cannotBeRead(list: List, ways: Combination): boolean {
	const { a } = ways;
	if (hasNoEnd(ways) && LISTS_OF_B.includes(list)) return true;
	// Records change their pages at each request.
	if (a.equalDates === 'changing' && LISTS_OF_A.includes(list)) return true;
	// The response is that to an unknown campaign, or the service has no further pages.
	const isBlocked = a.campaignWithoutFeedback === 404 || a.campaignFeedback === 'firstPage';
	return isBlocked && list === FEEDBACK_OF_CAMPAIGN;
}

/** Returns true where nothing in a page says that there is another one. */
function hasHiddenPages(list: List, { b }: Combination): boolean {
	return list === CONTACT_LISTS && b.bareLists && b.pageOfOtherLists === 'accepted';
}

const SIZES: Array<[size: string, prepare: () => void]> = [
	['no records', empty],
	['few records', () => {}],
	['hundreds of records', fill],
];

describe.each(SIZES)('with %s', (_size, prepare) => {
	testInCombinations('Return All returns each record of each list once', sandbox, async (ways) => {
		prepare();
		const lists = [
			...LISTS_OF_A.map((list) => ['a', list] as const),
			...LISTS_OF_B.map((list) => ['b', list] as const),
		];
		for (const [service, list] of lists) {
			const { items, error } = await read(service, list);
			const problem = error?.message;
			if (problem && cannotBeRead(list, ways)) continue;
			expect([list.name, list.parameters, problem]).toEqual([
				list.name,
				list.parameters,
				undefined,
			]);
			const found = items.map(list.key).sort();
			const stored = list.stored().sort();
			if (hasHiddenPages(list, ways)) expect(stored).toEqual(expect.arrayContaining(found));
			else expect(found).toEqual(stored);
		}
	});
});
