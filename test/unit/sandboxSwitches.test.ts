import { HARDER_A, HARDER_B } from '../support/harder';
import { openReceiver } from '../support/receiver.mts';
import { request, useSandbox } from '../support/sandbox';

// Every switch of the sandbox does something: the same calls have other responses with it.

const sandbox = useSandbox();

type Call = [line: string, body?: object, apiKey?: string];

/** Returns the responses to calls, with every moment replaced by a word. */
async function responses(service: 'a' | 'b', calls: Call[]): Promise<string> {
	const texts: string[] = [];
	for (const call of calls) {
		const response = await request(sandbox[service], ...call);
		texts.push(`${response.status} ${await response.text()}`);
	}
	return texts.join('\n').replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?/g, 'moment');
}

function callsOfA(): Call[] {
	const { a } = sandbox;
	a.seedCustomers(150);
	a.seedCompanies(50);
	const [campaign, empty] = a.state.campaigns.filter(({ isActive }) => isActive);
	a.state.feedback = a.state.feedback.filter(({ campaignId }) => campaignId !== empty?.id);
	const subscribers = [{ email: 'New@example.com' }];
	return [
		['POST /api/v2/nps/customers', { subscribers }],
		['POST /api/v2/survey', { campaign: campaign?.id, subscribers }],
		['GET /api/v2/nps/customers?limit=1000'],
		['GET /api/v2/nps/customers?email=ada@acme.example'],
		['GET /api/v2/nps/customers?email=ADA@acme.example'],
		['GET /api/v2/companies?limit=100'],
		['GET /api/v2/companies?sort=companyIndustry'],
		['GET /api/v2/feedback?page=2&limit=1'],
		[`GET /api/v2/feedback/${empty?.id}`],
		['GET /api/v2/nps/outbox'],
		['GET /api/v2/nps/score'],
		['GET /api/v2/companies/unknown.example'],
	];
}

function callsOfB(target: string): Call[] {
	const id = sandbox.b.state.feedback.at(-1)?.id;
	const survey = { campaign_id: 101, contact: { email: 'New@example.com' } };
	const hook = { event: 'feedback.removed', target };
	const forward = { from_user: 'agent@example.com', to: 'lead@example.com' };
	return [
		['POST /api/v2/contacts/', {}],
		['POST /api/v2/survey/', survey],
		['POST /api/v2/survey/', survey],
		['GET /api/v2/contacts/'],
		['GET /api/v2/contacts/?page=9'],
		['GET /api/v2/contacts/?email=ADA@acme.example'],
		['GET /api/lists/', undefined, 'wrong'],
		['POST /api/v2/contacts/unsubscribe/', { emails: ['ada@acme.example'] }],
		[`PUT /api/v2/feedback/${id}/`, { status: 'CLOSED' }],
		[`POST /api/v2/feedback/${id}/forward/`, forward],
		['POST /api/v2/hooks', hook],
		['POST /api/v2/hooks', hook],
		['POST /api/v2/hooks', { ...hook, event: 'feedback.added_or_changed' }],
		['DELETE /api/v2/hooks/1'],
		['DELETE /api/v2/hooks/901'],
	];
}

/** Returns what a service says in a session: the responses to all calls, and for B the events. */
async function session(service: 'a' | 'b', settings: object = {}): Promise<string> {
	sandbox[service].reset();
	Object.assign(sandbox[service].settings, settings);
	if (service === 'a') return await responses('a', callsOfA());
	const receiver = await openReceiver();
	const said = await responses('b', callsOfB(receiver.url));
	sandbox.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 3 });
	await sandbox.b.idle();
	await receiver.close();
	const events = receiver.calls.map(({ body }) => Object.keys(Object(body).data.survey));
	return said.replaceAll(receiver.url, 'receiver') + events.join();
}

describe.each([
	['a', HARDER_A],
	['b', HARDER_B],
] as const)('service %s of the sandbox', (service, switches) => {
	test('says the same in two equal sessions', async () => {
		expect((await session(service)) === (await session(service))).toBe(true);
	});

	test.each(Object.entries(switches))(
		'responds in another way if %s is %j',
		async (name, value) => {
			const usual = await session(service);
			expect((await session(service, { [name]: value })) === usual).toBe(false);
		},
	);
});
