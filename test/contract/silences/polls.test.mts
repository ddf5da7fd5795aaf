import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { companyNamed } from '../../../sandbox/a/writing';
import { onItsOwnClock } from '../../support/clock.mts';
import { testInCombinations } from '../../support/combinations.mts';
import {
	a,
	credential,
	newCustomer,
	NPS,
	PolledWorkflow,
	withServiceA,
} from '../surveyATrigger/polledWorkflow.mts';

// Survey A Trigger, whichever ways the service takes where its contract is silent.

withServiceA();

const services = {
	get a() {
		return a;
	},
};

const MINUTE = 60_000;
const EVENTS = ['feedback.created', 'customer.created', 'company.created', 'survey.sent'];

/** Names an event and its record. Sent surveys have no ID. */
function nameOf({ event, data }: IDataObject): string {
	const { id, email, sentDate } = Object(data);
	return `${String(event)} ${id ?? `${email} ${sentDate}`}`;
}

/** Adds a record to each list, and returns the names of their events. */
function addRecords(round: number): string[] {
	const email = `person${round}@example.com`;
	const customer = newCustomer(email);
	const company = companyNamed(a.state, `New ${round}`, a.state.clock.now());
	const feedback = a.answer({ email, campaignId: NPS, score: round % 11 });
	const [campaign] = a.state.campaigns;
	if (campaign) a.seedSurveyed([customer], { campaign, daysAgo: 0 });
	const survey = a.state.outbox.at(-1);
	return [
		nameOf({ event: 'customer.created', data: customer.id && { ...customer } }),
		nameOf({ event: 'company.created', data: { ...company } }),
		nameOf({ event: 'feedback.created', data: { ...feedback } }),
		nameOf({ event: 'survey.sent', data: { ...survey } }),
	];
}

const SIZES: Array<[size: string, prepare: () => void]> = [
	[
		'new',
		() => {
			a.state.customers.clear();
			Object.assign(a.state, { companies: [], feedback: [], outbox: [] });
		},
	],
	['small', () => {}],
	[
		'larger',
		() => {
			a.seedCustomers(110);
			a.seedCompanies(30);
			a.seedFeedback(110);
			a.seedOutbox(110);
		},
	],
];

describe.each(SIZES)('in a %s account', (_size, prepare) => {
	testInCombinations(
		'each record that comes after publishing starts one run',
		services,
		async () => {
			prepare();
			const expected: string[] = [];
			const workflow = new PolledWorkflow(credential());
			await onItsOwnClock(async () => {
				await workflow.publish({ events: EVENTS, routeBy: 'none', simplify: false });
				for (let round = 0; round < 3; round++) {
					await sleep(MINUTE);
					expected.push(...addRecords(round));
					await workflow.poll();
				}
				// A survey may take ten minutes to appear, and the outbox is read back once in ten minutes.
				for (let round = 0; round < 4; round++) {
					await sleep(6 * MINUTE);
					await workflow.poll();
				}
			});
			const came = workflow.runs.flat().map(({ json }) => nameOf(json));
			expect(came.sort()).toEqual(expected.sort());
		},
	);
});
