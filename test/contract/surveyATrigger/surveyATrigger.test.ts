import type { INodeParameters } from 'n8n-workflow';

import { onItsOwnClock, passTime } from '../../support/clock.mts';
import { holdNext, whatCanGoOn } from '../../support/hold.mts';
import {
	a,
	AT_ONCE,
	credential,
	CSAT,
	DurablyPolledWorkflow,
	newCustomer,
	NPS,
	PolledWorkflow,
	withServiceA,
} from './polledWorkflow.mts';
import type { Output } from './polledWorkflow.mts';
import { testLarge } from '../../support/large.mts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

const FEEDBACK: INodeParameters = {
	events: ['feedback.created'],
	routeBy: 'none',
	simplify: false,
	options: AT_ONCE,
};
const BOTH: INodeParameters = { ...FEEDBACK, events: ['feedback.created', 'customer.created'] };

withServiceA();

let workflow: PolledWorkflow;
beforeEach(() => void (workflow = new PolledWorkflow(credential())));

const answer = (score = 5, campaignId = NPS) =>
	a.answer({ email: 'ada@acme.example', campaignId, score, comment: 'Well' });

const scores = (output: Output) =>
	(output ?? []).map((items) => items.map(({ json }) => Object(json.data).score));

test('an event that an expression returns twice starts the workflow once for each record', async () => {
	const events = "={{ ['feedback.created', 'feedback.created'] }}";
	await workflow.publish({ ...FEEDBACK, events });
	answer(3);
	expect(scores(await workflow.poll())).toEqual([[3]]);
});

describe('Survey A Trigger starts the workflow', () => {
	test('for rows created after publishing only', async () => {
		expect(await workflow.publish(BOTH)).toBeNull();
		const feedback = answer(3);
		expect(await workflow.poll()).toEqual([
			[{ json: { event: 'feedback.created', data: JSON.parse(JSON.stringify(feedback)) } }],
		]);
		expect(await workflow.poll()).toBeNull();
	});

	test('once for all rows since the start date', async () => {
		const startDate = new Date(Date.now() - 30 * DAY).toISOString();
		const output = await workflow.publish({ ...BOTH, options: { ...AT_ONCE, startDate } });
		expect(output?.[0]).toHaveLength(8 + 4);
		expect(await workflow.poll()).toBeNull();
	});

	test('after one request for publishing and one for each poll, which ask for the newest rows', async () => {
		for (let row = 0; row < 1150; row++) answer(3);
		passTime(20 * 60_000);
		await workflow.publish(FEEDBACK);
		expect(a.requests).toHaveLength(1);
		for (let hour = 0; hour < 3; hour++) {
			passTime(60 * 60_000);
			await workflow.poll();
		}
		expect(a.requests).toHaveLength(4);
		expect(new Set(a.requests.map(({ query }) => query.sort))).toEqual(new Set(['-createdDate']));
		answer(4);
		expect(scores(await workflow.poll())).toEqual([[4]]);
	});

	test('for feedback although the list of customers fails, and for the customers afterwards', async () => {
		await workflow.publish(BOTH);
		answer(4);
		newCustomer('new@example.com');
		a.faults.add({ path: /customers$/, kind: { status: 403, body: { message: 'No access' } } });
		expect(scores(await workflow.poll())).toEqual([[4]]);
		expect(workflow.warnings).toEqual([
			'Survey A Trigger: Customer Created: No access (HTTP 403). The next poll tries again',
		]);
		expect((await workflow.poll())?.[0]?.[0]?.json.event).toBe('customer.created');
	});

	test('for a row dated in the future that changes later, and for the rows of today after it', async () => {
		await workflow.publish(FEEDBACK);
		const early = answer(3);
		early.createdDate = new Date(Date.now() + 30 * DAY).toISOString();
		expect((await workflow.poll())?.[0]).toHaveLength(1);
		early.comment = 'Changed';
		answer(4);
		expect((await workflow.poll())?.[0]).toHaveLength(1);
		expect(await workflow.poll()).toBeNull();
	});

	test('for each row after the publish if Start Date is the expression $now', async () => {
		await workflow.publish({ ...FEEDBACK, options: { ...AT_ONCE, startDate: '={{ $now }}' } });
		answer(3);
		passTime(MINUTE);
		expect(scores(await workflow.poll())).toEqual([[3]]);
	});

	test('for a row created after a Start Date in the future was corrected', async () => {
		await workflow.publish({ ...FEEDBACK, options: { ...AT_ONCE, startDate: '2062-01-01' } });
		answer(3);
		expect(await workflow.poll()).toBeNull();
		await workflow.publish(FEEDBACK);
		answer(4);
		expect(scores(await workflow.poll())).toEqual([[4]]);
	});

	testLarge('several times for more than 10,000 rows', async () => {
		await workflow.publish(FEEDBACK);
		a.seedFeedback(12_000);
		const createdDate = a.state.clock.now();
		for (const feedback of a.state.feedback.slice(-12_000)) feedback.createdDate = createdDate;
		const { length = 0 } = (await workflow.poll())?.[0] ?? [];
		expect(length).toBeGreaterThanOrEqual(10_000);
		expect(length).toBeLessThan(11_000);
		expect((await workflow.poll())?.[0]).toHaveLength(12_000 - length);
		expect(new Set(workflow.came).size).toBe(12_000);
	});
});

describe('filters of Survey A Trigger', () => {
	test.each([
		[{ campaignIds: [CSAT] }, [8]],
		[{ campaignIds: `${CSAT}, other` }, [8]],
		[{ metrics: ['CSAT'] }, [8]],
		[{ metrics: ['NPS'], maxScore: 6 }, [0]],
		[{ minScore: 8 }, [8, 9]],
		[{ minScore: '8', maxScore: '8' }, [8]],
		[{ campaignIds: [], metrics: [] }, [0, 8, 9]],
	])('%j let matching feedback through', async (filters, expected) => {
		await workflow.publish({ ...FEEDBACK, filters });
		answer(0);
		answer(8, CSAT);
		answer(9);
		expect(scores(await workflow.poll())).toEqual([expected]);
	});

	test('rows that were held back do not come out after the filters change', async () => {
		await workflow.publish({ ...FEEDBACK, filters: { minScore: 9 } });
		for (let i = 0; i < 3; i++) {
			answer(1);
			expect(await workflow.poll()).toBeNull();
		}
		expect(await workflow.publish(FEEDBACK)).toBeNull();
		answer(2);
		expect(scores(await workflow.poll())).toEqual([[2]]);
	});
});

test('outputs of Survey A Trigger are routed by score type: detractor, passive, promoter, other', async () => {
	await workflow.publish({ ...BOTH, routeBy: 'scoreType' });
	for (const score of [10, 9, 8, 7, 6, 0]) answer(score);
	answer(10, CSAT);
	newCustomer('new@example.com');
	expect(scores(await workflow.poll())).toEqual([
		[6, 0],
		[8, 7],
		[10, 9],
		[10, undefined],
	]);
});

describe('a manual test', () => {
	test('shows the newest rows, marked as a sample, and changes nothing', async () => {
		a.seedFeedback(300);
		await workflow.publish(BOTH);
		const feedback = answer();
		const output = await workflow.test();
		expect(output?.[0]).toHaveLength(5 + 4);
		expect(output?.[0]?.[0]?.json.data).toMatchObject({ id: feedback.id });
		expect(output?.[0]?.every(({ json }) => json.sample === true)).toBe(true);
		const polled = (await workflow.poll())?.[0];
		expect(polled).toHaveLength(1);
		expect(polled?.[0]?.json).not.toHaveProperty('sample');
	});

	test('applies the filters, and shows nothing for an empty account', async () => {
		expect(scores(await workflow.test({ ...FEEDBACK, filters: { minScore: 10 } }))).toEqual([[10]]);
		a.state.feedback = [];
		expect(await workflow.test(FEEDBACK)).toBeNull();
	});

	test('shows an older feedback response that matches the filters, behind a page of those that do not', async () => {
		const found = answer(3);
		for (let i = 0; i < 250; i++) answer(9);
		a.state.feedback = a.state.feedback.slice(-251);
		const output = await workflow.test({ ...FEEDBACK, filters: { maxScore: 6 } });
		expect(output?.[0]?.map(({ json }) => Object(json.data).id)).toEqual([found.id]);
	});

	test('fails when none of the newest 1,000 records matches the filters', async () => {
		a.seedFeedback(1001);
		const testing = workflow.test({ ...FEEDBACK, filters: { minScore: 11 } });
		await expect(testing).rejects.toMatchObject({
			message: 'None of the newest 1000 records in Survey A matches the filters',
			description: 'Change the filters, or publish the workflow to wait for a matching record',
		});
	});

	test('shows customers although no feedback matches the filters', async () => {
		const output = await workflow.test({ ...BOTH, filters: { minScore: 11 } });
		expect(output?.[0]?.map(({ json }) => json.event)).toEqual(
			new Array(4).fill('customer.created'),
		);
	});
});

describe('failures of Survey A Trigger', () => {
	test('a failed poll reports the reason, and the next one returns the missed rows', async () => {
		await workflow.publish(BOTH);
		newCustomer('new@example.com');
		a.faults.add({ path: /customers$/, kind: { status: 403, body: { message: 'No access' } } });
		await expect(workflow.poll()).rejects.toMatchObject({
			message: 'No access (HTTP 403)',
			httpCode: '403',
		});
		expect((await workflow.poll())?.[0]).toHaveLength(1);
	});

	test('publishing fails with a wrong API key', async () => {
		workflow = new PolledWorkflow({ ...credential(), apiKey: 'example-wrong' });
		await expect(workflow.publish(FEEDBACK)).rejects.toThrow('Invalid API key (HTTP 401)');
	});

	test('responses without rows and total during publishing do not bring out old rows', async () => {
		const body = { code: 200, message: 'ok', data: { responses: [] } };
		a.faults.add({ times: Infinity, kind: { status: 200, body } });
		expect(await workflow.publish(FEEDBACK)).toBeNull();
		a.faults.clear();
		expect(await workflow.poll()).toBeNull();
		const feedback = answer();
		await workflow.poll();
		expect(workflow.came).toEqual([`feedback.created ${feedback.id}`]);
	});

	test('publishing succeeds although the rows since Start Date take longer than it may, and the next poll returns the others', async () => {
		a.seedFeedback(300);
		const deadline = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal);
		const { arrived, release } = holdNext(a.faults, {
			when: ({ query }) => query.limit === '1000',
		});
		const publishing = workflow.publish({
			...FEEDBACK,
			options: { ...AT_ONCE, startDate: '2020-01-01' },
		});
		await arrived;
		deadline.abort();
		expect((await publishing)?.[0]).toHaveLength(100);
		release();
		expect((await workflow.poll())?.[0]).toHaveLength(208);
	});

	test('the log names an event whose list did not come by the deadline, while another one starts its run', async () => {
		const events = ['feedback.created', 'customer.created'];
		await workflow.publish({ ...FEEDBACK, events });
		answer(4);
		const deadline = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal);
		const { arrived, release } = holdNext(a.faults, {
			when: ({ path }) => path.endsWith('/customers'),
		});
		const polling = workflow.poll();
		await arrived;
		await whatCanGoOn();
		deadline.abort();
		expect(scores(await polling)).toEqual([[4]]);
		release();
		expect(workflow.warnings).toEqual([
			'Survey A Trigger: Customer Created: Survey A did not finish answering within 330 s. The next poll tries again',
		]);
	});

	test('a publish that ended in time logs nothing when the deadline passes', async () => {
		const deadline = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal);
		await workflow.publish(FEEDBACK);
		deadline.abort();
		await whatCanGoOn();
		expect(workflow.warnings).toEqual([]);
	});

	test('publishing ends the earlier poll of the node, which waits for a response', async () => {
		await workflow.publish(FEEDBACK);
		answer(4);
		const { arrived, release } = holdNext(a.faults);
		const earlier = workflow.poll();
		await arrived;
		expect(scores(await workflow.publish())).toEqual([[4]]);
		expect(await earlier).toBeNull();
		release();
		expect(await workflow.poll()).toBeNull();
	});

	test('a poll by the clock waits for that of a publish, which ended an earlier poll', async () => {
		await workflow.publish(FEEDBACK);
		const feedback = answer(4);
		const first = holdNext(a.faults);
		const earlier = workflow.poll();
		await first.arrived;
		const second = holdNext(a.faults);
		const publishing = workflow.publish();
		await second.arrived;
		const byClock = workflow.poll();
		await whatCanGoOn();
		second.release();
		await Promise.all([earlier, publishing, byClock]);
		expect(workflow.came).toEqual([`feedback.created ${feedback.id}`]);
		first.release();
	});

	test('a poll does not return while an earlier one of the node is running, since n8n would stop its expressions', async () => {
		await workflow.publish(FEEDBACK);
		answer();
		const { arrived, release } = holdNext(a.faults);
		const ended: string[] = [];
		const slow = workflow.poll().then(() => ended.push('slow'));
		await arrived;
		const quick = workflow.poll().then(() => ended.push('quick'));
		await whatCanGoOn();
		expect(ended).toEqual([]);
		release();
		await Promise.all([slow, quick]);
		expect(ended).toHaveLength(2);
		expect(workflow.came).toHaveLength(1);
	});

	test.each(['drip', 'drip-headers', 'hang'] as const)(
		'a response that never ends does not stop the trigger: %s',
		async (kind) => {
			await workflow.publish(FEEDBACK);
			answer();
			a.faults.add({ kind });
			workflow.budget = 200_000;
			await onItsOwnClock(async () => {
				await expect(workflow.poll()).rejects.toMatchObject({
					message: 'Survey A did not finish answering within 220 s',
					description:
						'The next poll tries again. If it is the same then, check whether Survey A is up',
				});
			});
			expect((await workflow.poll())?.[0]).toHaveLength(1);
		},
	);

	test('a poll that was abandoned remembers nothing when its response arrives', async () => {
		await workflow.publish(FEEDBACK);
		const feedback = answer();
		const deadline = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal);
		const { arrived, release } = holdNext(a.faults);
		const slow = workflow.poll();
		await arrived;
		deadline.abort();
		await expect(slow).rejects.toThrow('did not finish');
		answer();
		await workflow.poll();
		expect(workflow.came).toHaveLength(2);
		expect(workflow.came).toContain(`feedback.created ${feedback.id}`);
		answer();
		release();
		await whatCanGoOn();
		expect((await workflow.poll())?.[0]).toHaveLength(1);
	});

	test.each([
		[{ events: [] }, "'Trigger On' is missing"],
		[{ events: [''] }, "'Trigger On' is missing"],
		[
			{ events: ['feedback.changed'] },
			/^'Trigger On' must be one of: feedback.created, customer.created, company.created, survey.sent/,
		],
		[
			{ events: '={{ "feedback.created, feedback.changed" }}' },
			/^'Trigger On' must be one of: .*: "feedback.changed"/,
		],
		[{ ...FEEDBACK, filters: { minScore: 'high' } }, /^'Min Score' must be a number: "high"$/],
		[{ ...FEEDBACK, filters: { minScore: '={{ undefined }}' } }, "'Min Score' has no value"],
		[{ ...FEEDBACK, filters: { campaignIds: [''] } }, "'Campaign Names or IDs' has no value"],
		[{ ...FEEDBACK, filters: '={{ "x" }}' }, "'Filters' must be a collection"],
		[{ ...FEEDBACK, options: { ...AT_ONCE, startDate: 'soon' } }, /^'Start Date' is not a date/],
	])('publishing fails with the invalid parameters %j', async (parameters, message) => {
		await expect(workflow.publish(parameters)).rejects.toThrow(message);
	});
});

describe('when n8n starts, Survey A Trigger', () => {
	const down = () => a.faults.add({ times: 4, kind: { status: 400, body: { message: 'Down' } } });

	test.each(['init', 'leadershipChange'] as const)(
		'polls again although the service was down: %s',
		async (activation) => {
			await workflow.publish(FEEDBACK);
			answer();
			down();
			expect(await workflow.restart(activation)).toBeNull();
			expect(workflow.warnings).toEqual([expect.stringMatching(/Down.*next poll tries again/)]);
			a.faults.clear();
			expect((await workflow.poll())?.[0]).toHaveLength(1);
		},
	);

	test.each(['activate', 'update'] as const)(
		'reports to a user who publishes that the service is down: %s',
		async (by) => {
			await workflow.publish(FEEDBACK);
			down();
			await expect(workflow.restart(by)).rejects.toThrow('Down (HTTP 400)');
		},
	);

	test('polls once before the scheduled polls, and returns the rows created since', async () => {
		await workflow.publish(FEEDBACK);
		answer();
		const { arrived, release } = holdNext(a.faults);
		const start = workflow.restart();
		await arrived;
		const clock = workflow.poll();
		await whatCanGoOn();
		release();
		expect((await start)?.[0]).toHaveLength(1);
		expect(await clock).toBeNull();
		expect(await workflow.poll()).toBeNull();
	});
});

// n8n activates both in the same millisecond, and a copied workflow has the same node IDs.
test.each([
	['in one workflow', { nodeId: 'other' }],
	['in a workflow and its copy', { workflowName: 'copy' }],
])('two Survey A Triggers %s share no memory', async (_, place) => {
	const now = Date.now();
	jest.spyOn(Date, 'now').mockReturnValue(now);
	const other = workflow.neighbour(place);
	await workflow.publish(FEEDBACK);
	await other.publish({ ...FEEDBACK, events: ['customer.created'] });
	const feedback = answer();
	const customer = newCustomer('new@example.com');
	await workflow.poll();
	await other.poll();
	expect(workflow.came).toEqual([`feedback.created ${feedback.id}`]);
	expect(other.came).toEqual([`customer.created ${customer.id}`]);
	expect([await workflow.poll(), await other.poll()]).toEqual([null, null]);
});

describe('with durable poll cursors, Survey A Trigger', () => {
	beforeEach(() => {
		workflow = new DurablyPolledWorkflow(credential());
	});

	test.each([
		['', () => undefined],
		[
			' although n8n drops the first scheduled poll',
			async () => {
				await workflow.pollInVain();
				passTime(MINUTE);
			},
		],
		[
			' although n8n drops the first scheduled poll, and its clock is set back after that',
			async () => {
				await workflow.pollInVain();
				passTime(-60 * MINUTE);
			},
		],
	])('starts from the moment of publishing%s', async (_, meanwhile) => {
		expect(await workflow.publish(BOTH)).toBeNull();
		answer();
		newCustomer('new@example.com');
		await meanwhile();
		expect((await workflow.poll())?.[0]).toHaveLength(2);
		expect(await workflow.poll()).toBeNull();
		answer();
		await workflow.poll();
		expect(workflow.came).toHaveLength(3);
	});

	test('starts from the moment of publishing although n8n starts again before the first scheduled poll', async () => {
		expect(await workflow.publish(BOTH)).toBeNull();
		answer();
		newCustomer('new@example.com');
		await workflow.restart();
		expect((await workflow.poll())?.[0]).toHaveLength(2);
	});

	test('starts an event that is chosen later from the moment of publishing', async () => {
		await workflow.publish(FEEDBACK);
		await workflow.poll();
		await workflow.publish(BOTH);
		newCustomer('new@example.com');
		expect((await workflow.poll())?.[0]).toHaveLength(1);
	});

	test('starts no poll while the previous one is running', async () => {
		await workflow.publish(FEEDBACK);
		answer();
		const { arrived, release } = holdNext(a.faults);
		const polls = Promise.all([workflow.poll(), workflow.poll()]);
		await arrived;
		await whatCanGoOn();
		release();
		const [first, second] = await polls;
		expect([first?.[0]?.length, second]).toEqual([1, null]);
	});

	test('brings nothing twice if n8n loads its data before it stores that of the poll before', async () => {
		const durable = new DurablyPolledWorkflow(credential());
		await durable.publish(FEEDBACK);
		answer();
		const [first, second] = await durable.pollTwice();
		expect([first?.[0]?.length, second]).toEqual([1, null]);
		answer();
		expect((await durable.poll())?.[0]).toHaveLength(1);
	});

	test('brings records again five seconds after n8n could not store their run', async () => {
		const durable = new DurablyPolledWorkflow(credential());
		await durable.publish(FEEDBACK);
		answer();
		await durable.pollInVain();
		expect(await durable.poll()).toBeNull();
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5000);
		expect((await durable.poll())?.[0]).toHaveLength(1);
	});
});

// The last test of this account: the pause applies to it, and is longer than the test.
test('a durable poll of Survey A Trigger waits no longer than n8n does', async () => {
	workflow = new DurablyPolledWorkflow(credential());
	await workflow.publish(FEEDBACK);
	a.faults.add({ kind: { status: 429, headers: { 'Retry-After': '40' } } });
	await expect(workflow.poll()).rejects.toMatchObject({ httpCode: '429' });
});

test('a durable poll of Survey A Trigger waits as long as n8n does', async () => {
	// Another account, which the pause of the test above does not apply to.
	a.apiKey = 'example-key-of-another-account';
	workflow = new DurablyPolledWorkflow(credential());
	await workflow.publish(FEEDBACK);
	answer();
	a.faults.add({ kind: { status: 429, headers: { 'Retry-After': '30' } } });
	const output = await onItsOwnClock(async () => await workflow.poll());
	expect(output?.[0]).toHaveLength(1);
});

test('a first publishing during a rate limit that is too long fails at once', async () => {
	a.apiKey = 'example-key-of-a-third-account';
	workflow = new PolledWorkflow(credential());
	a.faults.add({ kind: { status: 429, headers: { 'Retry-After': '42' } } });
	await expect(workflow.publish(FEEDBACK)).rejects.toThrow('(HTTP 429)');
	expect(a.requests).toHaveLength(1);
});

test('an edit during a rate limit is published, and the next poll reads on', async () => {
	a.apiKey = 'example-key-of-a-fourth-account';
	workflow = new PolledWorkflow(credential());
	await workflow.publish(FEEDBACK);
	answer();
	a.faults.add({ kind: { status: 429, headers: { 'Retry-After': '42' } } });
	expect(await workflow.publish(FEEDBACK)).toBeNull();
	passTime(MINUTE);
	expect((await onItsOwnClock(async () => await workflow.poll()))?.[0]).toHaveLength(1);
});
