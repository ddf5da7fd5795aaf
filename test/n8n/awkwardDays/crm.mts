import { host, sandbox, type Execution } from '../../support/n8n.mts';
import {
	AWKWARD_TEXT,
	filledIn,
	receiver,
	refusal,
	repeated,
	sampleOf,
	seenByPeople,
	type AwkwardDays,
} from './setup.mts';

// The examples that a CRM starts, or that write to one.

type Check = () => Promise<void>;

const MOMENTS_ONLY = 'It compares moments only';
const AS_GIVEN = 'The CRM has the address, and nothing looks it up';
const BY_EVENT = "The CRM's events start it";

/** Runs an example with these items of pinned nodes: its trigger, and the nodes that read the CRM. */
async function runWith(name: string, pinned: Record<string, object[]>): Promise<Execution> {
	const { n8n } = host;
	const workflow = filledIn(name);
	const nodes = workflow.nodes.map((node) =>
		node.name in pinned ? { ...node, type: typeOf(name, node.name) } : node,
	);
	const items = Object.entries(pinned).map(([node, list]) => [
		node,
		list.map((json) => ({ json })),
	]);
	const id = await n8n.createWorkflow({ ...workflow, nodes, pinData: Object.fromEntries(items) });
	return await n8n.run(id, { trigger: Object.keys(pinned)[0] });
}

/** The example's own type, without the stand-in that takes its place elsewhere. */
function typeOf(name: string, node: string): string {
	const found = filledIn(name).nodes.find((one) => one.name === node);
	return found?.type.endsWith('Trigger') ? found.type : 'n8n-nodes-base.noOp';
}

interface Survey {
	name: string;
	/** The pinned nodes for contacts with these emails. */
	pinned: (emails: Array<string | undefined>) => Record<string, object[]>;
	service: () => typeof sandbox.a | typeof sandbox.b;
	batch: number;
	/** Returns what the service has of a contact's deal or case. */
	subject: (email: string) => unknown;
	withSubject: (subject: string) => Record<string, object[]>;
}

/** "A won deal surveys its contacts once." "A closed case asks its contact for satisfaction once." */
function surveyDays({ name, pinned, service, batch, subject, withSubject }: Survey): AwkwardDays {
	const sent = () => service().state.sent.map(({ email }) => email);
	const survey = { method: 'POST', path: /survey\/?$/ };
	const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@crm.example`);

	const refusedBy = (status: number): Check => {
		return async () => {
			service().faults.add({ ...survey, kind: refusal(status), skip: 1, times: Infinity });
			const run = await runWith(name, pinned(people(batch + 2)));
			service().faults.clear();
			expect(sent()).toHaveLength(batch);
			expect(run).toMatchObject({ status: 'error' });
			if (run.lastNode === 'Send Survey') {
				// The account is refused, so nothing goes out any more. A retry goes on, and surveys nobody twice.
				expect(await host.n8n.retry(run.id)).toMatchObject({ status: 'success' });
				expect(sent().sort()).toEqual(people(batch + 2).sort());
				return;
			}
			const seen = await seenByPeople(run.workflowId);
			for (const email of people(batch + 2).filter((one) => !sent().includes(one))) {
				expect(seen).toContain(email);
			}
		};
	};
	return {
		name,
		days: {
			'an empty list': async () => {
				await runWith(name, pinned([]));
				expect(sent()).toEqual([]);
			},
			'one item': async () => {
				expect(await runWith(name, pinned(people(1)))).toMatchObject({ status: 'success' });
				expect(sent()).toEqual(people(1));
			},
			'500 items': async () => {
				const run = await runWith(name, pinned([...people(499), 'nowhere']));
				expect(new Set(sent())).toEqual(new Set(people(499)));
				expect(repeated(sent())).toEqual([]);
				expect(await seenByPeople(run.workflowId)).toContain('nowhere');
			},
			'quotes, newlines, emoji and HTML': async () => {
				await runWith(name, withSubject('"It\'s" <b>bad</b>, 😀 Zoë'));
				expect(subject('ada@acme.example')).toBe('"It\'s" <b>bad</b>, 😀 Zoë');
			},
			'no email': async () => {
				const run = await runWith(name, pinned([undefined, ...people(1)]));
				expect(sent()).toEqual(people(1));
				expect(run).toMatchObject({ status: 'error' });
				expect(await seenByPeople(run.workflowId)).toMatch(/email/i);
			},
			'an address in other case': AS_GIVEN,
			'two answers by one person in an hour': async () => {
				const run = await runWith(name, pinned(['ada@acme.example', 'ada@acme.example']));
				expect(run).toMatchObject({ status: 'success' });
				expect(sent()).toEqual(['ada@acme.example']);
			},
			'two starts within two seconds': BY_EVENT,
			'a restart in the middle': 'n8n shows the run as crashed',
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': async () => {
				service().faults.add({ ...survey, kind: refusal(429), times: 2 });
				expect(await runWith(name, pinned(people(2)))).toMatchObject({ status: 'success' });
				expect(sent().sort()).toEqual(people(2));
			},
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': MOMENTS_ONLY,
		},
	};
}

const deal = (vids: number[]) => {
	const [sample = {}] = sampleOf('hubspot-deal-won-survey', 'Get Deal');
	return { ...sample, associations: { associatedVids: vids } };
};
const wonDeal = (
	emails: Array<string | undefined>,
	[sample]: object[] = [deal(emails.map((_, i) => i + 1))],
) => ({
	'Deal Changes': sampleOf('hubspot-deal-won-survey', 'Deal Changes').slice(0, 1),
	'Get Deal': [sample ?? {}],
	'Get Contact': emails.map((value, i) => ({ vid: i + 1, properties: { email: { value } } })),
});

export const hubspotDealWon = surveyDays({
	name: 'hubspot-deal-won-survey',
	pinned: (emails) => wonDeal(emails),
	service: () => sandbox.a,
	batch: 100,
	subject: (email) =>
		sandbox.a.state.customers.get(email)?.properties.find(({ label }) => label === 'Deal')?.value,
	withSubject: (value) =>
		wonDeal(['ada@acme.example'], [{ ...deal([1]), properties: { dealname: { value } } }]),
});

const closedCases = (emails: Array<string | undefined>, subject = 'Export fails') => {
	const [sample = {}] = sampleOf('salesforce-case-closed-csat', 'Case Changes');
	const batchId = `${Date.now()}`;
	const cases = emails.map((_, i) => ({ ...sample, Id: `${batchId} ${i}`, Subject: subject }));
	return {
		'Case Changes': cases,
		'Get Contact': emails.map((Email) => ({ Email, FirstName: 'Ada', LastName: 'Byron' })),
	};
};

export const salesforceCaseClosed = surveyDays({
	name: 'salesforce-case-closed-csat',
	pinned: (emails) => closedCases(emails),
	service: () => sandbox.b,
	batch: 1,
	subject: () => Object(sandbox.b.state.surveys.at(-1)).attributes?.case_subject,
	withSubject: (subject) => closedCases(['ada@acme.example'], subject),
});

/** "The last answer of each campaign stands on the HubSpot contact." */
export const hubspotLastAnswer = ((): AwkwardDays => {
	const name = 'hubspot-last-answer';
	const calls = (path: string) => receiver.calls.filter((call) => call.path === path);
	const [sample = {}] = sampleOf(name, 'Feedback Comes In');
	const answers = (...list: object[]) => ({
		'Feedback Comes In': list.map((one) => ({ ...sample, ...one })),
	});
	const written = () => calls('/write-to-contact').map(({ body }) => Object.values(Object(body)));

	/** HubSpot refuses some: the others are written, those are tried once more, and the run fails with the reason. */
	const refusedBy = (status: number): Check => {
		return async () => {
			receiver.refusal = { status, times: Infinity };
			const run = await runWith(name, answers({}, { email: 'alan@globex.example' }));
			expect(calls('/write-to-contact')).toHaveLength(2);
			expect(calls('/write-once-more').length).toBeGreaterThan(0);
			expect(run).toMatchObject({ status: 'error', lastNode: 'Write Once More' });
			expect(await seenByPeople(run.workflowId)).not.toBe('');
		};
	};
	return {
		name,
		days: {
			'an empty list': "Survey A's trigger starts no run without an answer",
			'one item': async () => {
				expect(await runWith(name, answers({}))).toMatchObject({ status: 'success' });
				expect(written()).toHaveLength(1);
			},
			'500 items': async () => {
				const list = Array.from({ length: 500 }, (_, i) => ({ email: `p${i}@crm.example` }));
				expect(await runWith(name, answers(...list))).toMatchObject({ status: 'success' });
				expect(new Set(written().map(([email]) => email)).size).toBe(500);
			},
			'quotes, newlines, emoji and HTML': async () => {
				await runWith(name, answers({ comment: AWKWARD_TEXT }));
				expect(written()[0]).toContain(AWKWARD_TEXT);
			},
			'no email': async () => {
				const run = await runWith(name, answers({ email: null }, {}));
				expect(run).toMatchObject({ status: 'success' });
				expect(written().map(([email]) => email)).toEqual(['ada@acme.example']);
			},
			'an address in other case': AS_GIVEN,
			'two answers by one person in an hour': async () => {
				const first = { createdDate: '2026-03-02T09:15:00.000Z', score: 2 };
				const last = { createdDate: '2026-03-02T09:45:00.000Z', score: null };
				await runWith(name, answers(last, first));
				expect(written()).toEqual([
					expect.arrayContaining([2, 'Detractor']),
					expect.arrayContaining(['No score']),
				]);
			},
			'two starts within two seconds': 'A trigger that polls starts one run at a time',
			'a restart in the middle': 'Writing an answer again changes nothing',
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': async () => {
				receiver.refusal = { status: 429, times: 1 };
				expect(await runWith(name, answers({}))).toMatchObject({ status: 'success' });
				expect(calls('/write-once-more')).toHaveLength(1);
			},
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': async () => {
				await runWith(name, answers({ createdDate: '2026-03-29T00:30:00.000Z' }));
				expect(written()[0]).toContain(Date.UTC(2026, 2, 29));
			},
		},
	};
})();
