import type { IDataObject, ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import type { Transport } from '../../nodes/shared/http/exchange';
import { methods as methodsA } from '../../nodes/SurveyA/methods';
import { methods as methodsB } from '../../nodes/SurveyB/methods';
import { AT_ONCE, PolledWorkflow } from '../contract/surveyATrigger/polledWorkflow.mts';
import { EMAIL_FROM_ROW } from '../support/columns';
import { runNode } from '../support/engine';
import { SHARE, shareOf } from '../support/random.mts';
import { dropDownContext } from '../support/runner';
import { sayPastJest } from '../support/sayPastJest.mts';
import {
	allowedIn,
	cellsOfA,
	cellsOfB,
	EdgeService,
	nameOf,
	seemsToEnd,
	titleOf,
} from './edgeEnvelopes';
import type { Cell } from './edgeEnvelopes';

// Every list of both services, its drop-down, Quiet Period and Survey A Trigger, with all that a response may state.

// A page that is missing is asked for again without waiting.
jest.mock('../../nodes/shared/http/retry', () => ({
	...jest.requireActual('../../nodes/shared/http/retry'),
	backoff: () => 0,
}));

jest.mock('../../nodes/shared/http/exchange', () => ({
	...jest.requireActual('../../nodes/shared/http/exchange'),
	nodeTransport: (): Transport => async (request) => await service.answer(request),
}));

const service = new EdgeService();
const credential = () => ({ baseUrl: service.url, apiKey: 'example-key', requestsPerMinute: 0 });

/** The names of the records that came, and whether an error or a note says that some are missing. */
interface Outcome {
	names: string[];
	error?: string;
}

const namesIn = (value: unknown) =>
	[...new Set(JSON.stringify(value).match(/rec\d{4}/g) ?? [])].sort();

/** Reads a list by an operation, given as `resource.operation`. */
const operation =
	(node: 'surveyA' | 'surveyB', name: string, more: INodeParameters = {}) =>
	async (): Promise<Outcome> => {
		const [resource, operation] = name.split('.');
		const parameters = { resource, operation, returnAll: true, simplify: false, ...more };
		const { items, error } = await runNode({ node, parameters, credential: credential() });
		const names = items.flatMap((item) => namesIn(item));
		return { names, error: error?.message };
	};

type Search = (this: ILoadOptionsFunctions) => Promise<{ results: Array<{ name: string }> }>;

const dropDown = (node: 'surveyA' | 'surveyB', search: Search) => async (): Promise<Outcome> => {
	try {
		const { results } = await search.call(dropDownContext(node, credential()));
		const error = results.find(({ name }) => name.startsWith('List may be incomplete'))?.name;
		return { names: namesIn(results), error };
	} catch (error) {
		return { names: [], error: Object(error).message };
	}
};

let accounts = 0;

/** Sends a survey to everybody in the outbox and to one more, in a new account. Everybody in it has to be skipped. */
async function quietPeriod({ records }: Cell): Promise<Outcome> {
	const emails = Array.from({ length: records + 1 }, (_, i) => `${nameOf(i)}@example.com`);
	const { items, error } = await runNode({
		node: 'surveyA',
		parameters: {
			...{ resource: 'survey', operation: 'send', campaign: '64a000000000000000000003' },
			...EMAIL_FROM_ROW,
			options: { quietPeriod: 30 },
		},
		input: emails.map((email) => ({ email })),
		credential: { ...credential(), apiKey: `example-key-${++accounts}` },
	});
	const skipped = items.filter(({ status }) => status === 'skipped');
	return { names: skipped.flatMap((item) => namesIn(item.email)), error: error?.message };
}

const [CELLS_A, CELLS_B] = [cellsOfA(), cellsOfB()];

const A: Array<[string, (cell: Cell) => Promise<Outcome>]> = [
	['customers', operation('surveyA', 'customer.getAll')],
	['companies', operation('surveyA', 'company.getAll')],
	['feedback', operation('surveyA', 'feedback.getAll')],
	[
		'feedback of a campaign',
		operation('surveyA', 'feedback.getAll', {
			filters: { campaignId: { __rl: true, mode: 'id', value: '64a000000000000000000003' } },
		}),
	],
	['feedback of the deprecated endpoint', operation('surveyA', 'feedback.getAllLegacy')],
	['outbox', operation('surveyA', 'outbox.getAll')],
	['drop-down of customers', dropDown('surveyA', methodsA.listSearch.searchCustomers)],
	['drop-down of companies', dropDown('surveyA', methodsA.listSearch.searchCompanies)],
	['Quiet Period', quietPeriod],
];

const B: Array<[string, (cell: Cell) => Promise<Outcome>, boolean]> = [
	['contacts', operation('surveyB', 'contact.getAll'), true],
	['feedback', operation('surveyB', 'feedback.getAll'), true],
	['drop-down of contacts', dropDown('surveyB', methodsB.listSearch.searchContacts), true],
	['drop-down of tags', dropDown('surveyB', methodsB.listSearch.searchTags), true],
	['drop-down of campaigns', dropDown('surveyB', methodsB.listSearch.searchCampaigns), true],
	...[true, false].flatMap(
		(isPaged): Array<[string, () => Promise<Outcome>, boolean]> => [
			['contact lists', operation('surveyB', 'contactList.getAll'), isPaged],
			['metrics', operation('surveyB', 'metric.getAll'), isPaged],
			['common replies', operation('surveyB', 'commonReply.getAll'), isPaged],
			[
				'drop-down of contact lists',
				dropDown('surveyB', methodsB.listSearch.searchContactLists),
				isPaged,
			],
			[
				'drop-down of common replies',
				dropDown('surveyB', methodsB.listSearch.searchCommonReplies),
				isPaged,
			],
		],
	),
];

/** Returns what is wrong with an outcome; undefined if it is what a user should get. */
function mistakeIn({ names, error }: Outcome, cell: Cell, of: 'A' | 'B', mayBePart = false) {
	const allowed = allowedIn(cell, of);
	const whole = Array.from({ length: cell.records }, (_, i) => nameOf(i));
	const isTwice = new Set(names).size < names.length;
	if (isTwice) return `records came twice: ${names.length}`;
	if (error !== undefined) return allowed.error ? undefined : error;
	if (whole.every((name) => names.includes(name)) && names.length === whole.length)
		return undefined;
	return allowed.part || mayBePart ? undefined : `${names.length} of ${whole.length} in green`;
}

/** Tries cells, and reports those with a mistake. */
async function tryCells(
	name: string,
	cells: Cell[],
	attempt: (cell: Cell) => Promise<string | undefined>,
): Promise<void> {
	const wrong: string[] = [];
	let requests = 0;
	const tried = shareOf(cells, SHARE >= 1 ? 1 : SHARE / 3);
	for (const cell of tried) {
		const mistake = await attempt(cell);
		requests += service.requests;
		if (mistake !== undefined) wrong.push(`${titleOf(cell)}: ${mistake}`);
	}
	sayPastJest(`${name}: ${wrong.length} of ${tried.length} cells failed, ${requests} requests`);
	expect(wrong.slice(0, 20)).toEqual([]);
}

test.each(A)(
	'%s of Survey A come whole, or there is an error, whatever the responses state',
	async (name, read) => {
		await tryCells(`A, ${name}`, CELLS_A, async (cell) => {
			service.show(cell);
			return mistakeIn(await read(cell), cell, 'A');
		});
	},
	3_600_000,
);

test.each(B)(
	'%s of Survey B come whole, or there is an error, whatever the responses state (in pages: %#)',
	async (name, read, isPaged) => {
		// The contract shows no pages for these lists: a response that states nothing is the whole list.
		const isShown = /^(contacts|feedback|drop-down of (contacts|tags|campaigns))$/.test(name);
		await tryCells(`B, ${name}${isPaged ? '' : ', not paged'}`, CELLS_B, async (cell) => {
			service.show(cell, isPaged);
			return mistakeIn(await read(cell), cell, 'B', isPaged && !isShown && seemsToEnd(cell));
		});
	},
	3_600_000,
);

const EVENTS = ['feedback.created', 'customer.created', 'company.created', 'survey.sent'];

test.each(EVENTS)(
	'Survey A Trigger returns each %s once, whatever the responses state',
	async (event) => {
		await tryCells(`A, trigger on ${event}`, CELLS_A, async (cell) => {
			const workflow = new PolledWorkflow(credential());
			const grown = [cell.records, cell.records + 1, cell.records + 7].map((records) => ({
				...cell,
				records,
			}));
			const allowed = grown.map((one) => allowedIn(one, 'A'));
			try {
				service.show(cell);
				const parameters = { routeBy: 'none', simplify: false, options: AT_ONCE };
				await workflow.publish({ events: [event], ...parameters });
				for (const one of grown) {
					service.cell = one;
					for (let poll = 0; poll < 2; poll++) await workflow.poll();
				}
			} catch (error) {
				if (allowed.some((one) => one.error)) return undefined;
				return Object(error).message;
			} finally {
				await workflow.deactivate();
			}
			const names = workflow.runs
				.flat()
				.map(({ json }) => String(Object(json.data as IDataObject).id));
			const due = Array.from({ length: 7 }, (_, i) => nameOf(cell.records + i));
			if (new Set(names).size < names.length) return 'twice';
			const isPart = allowed.some(({ part }) => part);
			if (names.some((name) => !due.includes(name))) return isPart ? undefined : 'old records came';
			if (due.every((name) => names.includes(name))) return undefined;
			return isPart ? undefined : `${names.length} of 7 came`;
		});
	},
	3_600_000,
);
