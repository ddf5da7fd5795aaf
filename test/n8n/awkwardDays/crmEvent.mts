import { recordsOf, updateRows } from '../../support/dataTable.mts';
import { holdNext } from '../../support/hold.mts';
import { host, sandbox } from '../../support/n8n.mts';
import {
	AWKWARD_TEXT,
	imported,
	killDuring,
	post,
	refusal,
	repeated,
	runTwice,
	seenByPeople,
	whilePublished,
	type AwkwardDays,
} from './setup.mts';

interface CrmExample {
	name: string;
	path: string;
	table: string;
	/** Customers in one request. */
	batch: number;
	/** A text that the service takes. */
	text: string;
	service: () => typeof sandbox.a | typeof sandbox.b;
	/** Returns a value as the service has it. */
	planOf: (email: string) => unknown;
}

/** "A CRM event surveys each customer once, and no customer is lost." */
function crmEventDays({
	name,
	path,
	table,
	batch,
	text,
	service,
	planOf,
}: CrmExample): AwkwardDays {
	const sent = () => service().state.sent.map(({ email }) => email);
	const rows = async () => await recordsOf(host.n8n, table);
	const survey = { method: 'POST', path: /survey\/?$/ };
	let id = '';

	const event = async (...customers: unknown[]) => {
		id = await imported(name);
		const [run] = await whilePublished(id, async () => await post(path, { customers }));
		expect(run?.status).toBe('success');
	};
	const people = (count: number) =>
		Array.from({ length: count }, (_, i) => ({ email: `p${i}@crm.example`, plan: 'pro' }));
	const hourly = async () => await host.n8n.run(id, { trigger: 'Every Hour' });
	const correct = async (value: object) =>
		await updateRows(host.n8n, table, { corrected: true, ...value });

	/** A status refuses the second request. Its customers stand in the table, the mail names them, and they go out later. */
	const refusedBy = (status: number) => async () => {
		service().faults.add({ ...survey, kind: refusal(status), skip: 1, times: Infinity });
		await event(...people(batch + 1));
		expect(sent()).toHaveLength(batch);
		const [row] = await rows();
		expect(row).toMatchObject({
			reason: expect.stringContaining(String(status)),
			may_have_been_sent: status === 500,
		});
		await host.n8n.run(id, { trigger: 'Every Morning' });
		expect(await seenByPeople(id)).toContain(String(row?.email));
		service().faults.clear();
		await correct({});
		await hourly();
		expect(sent().sort()).toEqual(
			people(batch + 1)
				.map(({ email }) => email)
				.sort(),
		);
		expect(await rows()).toEqual([]);
	};

	return {
		name,
		days: {
			'an empty list': async () => {
				await event();
				expect(sent()).toEqual([]);
				await hourly();
				expect(await rows()).toEqual([]);
			},
			'one item': async () => {
				await event(...people(1));
				await hourly();
				expect(sent()).toEqual(['p0@crm.example']);
				expect(await rows()).toEqual([]);
			},
			'500 items': async () => {
				const bad = Array.from({ length: 20 }, (_, i) => ({ email: `nowhere${i}` }));
				await event(...people(480), ...bad);
				expect(new Set(sent()).size).toBe(480);
				expect(repeated(sent())).toEqual([]);
				expect(await rows()).toHaveLength(20);
			},
			'quotes, newlines, emoji and HTML': async () => {
				await event({ email: 'nowhere', plan: text }, { email: 'nowhere2', plan: 'x' });
				await host.n8n.run(id, { trigger: 'Every Morning' });
				await correct({ email: 'found@crm.example' });
				const [first, other] = await rows();
				// A person who corrects the second row forgets a quote.
				await updateRows(host.n8n, table, { row: '{"plan": "pro' }, other?.id);
				const run = await hourly();
				expect(run.status).toBe('success');
				expect(sent()).toEqual(['found@crm.example']);
				expect(planOf('found@crm.example')).toBe(text);
				const left = await rows();
				expect(left).toMatchObject([{ id: other?.id, may_have_been_sent: false }]);
				expect(first?.id).not.toBe(other?.id);
			},
			'no email': async () => {
				await event(null, 'text@crm.example', 7, { plan: 'pro' }, ...people(1));
				expect(sent().sort()).toEqual(['p0@crm.example', 'text@crm.example']);
				const saved = await rows();
				expect(saved.map(({ email }) => email).sort()).toEqual(['', '7', 'null']);
				expect(saved.filter((row) => row.may_have_been_sent)).toEqual([]);
			},
			'an address in other case': async () => {
				service().settings.exactEmails = true;
				service().faults.add({ ...survey, kind: 'reset-after', times: Infinity });
				await event({ email: 'Ada@CRM.example' });
				service().faults.clear();
				await correct({});
				await hourly();
				await hourly();
				expect(sent()[0]).toBe('Ada@CRM.example');
				expect(new Set(sent())).toEqual(new Set(['Ada@CRM.example']));
			},
			'two answers by one person in an hour': 'It gets no answers',
			'two starts within two seconds': async () => {
				service().faults.add({ ...survey, kind: refusal(401), times: Infinity });
				await event(...people(30));
				service().faults.clear();
				await correct({});
				await runTwice(id, 'Every Hour');
				expect(repeated(sent())).toEqual([]);
				expect(sent()).toHaveLength(30);
				expect(await rows()).toEqual([]);
			},
			'a restart in the middle': async () => {
				await event({ email: 'nowhere' });
				await correct({ email: 'found@crm.example' });
				const { arrived, release } = holdNext(service().faults, survey);
				await host.n8n.start(id, 'Every Hour');
				await killDuring(arrived, release);
				for (let hour = 0; hour < 3; hour++) await hourly();
				expect(sent()).toEqual(['found@crm.example']);
			},
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': async () => {
				service().faults.add({ ...survey, kind: refusal(429), skip: 1, times: 2 });
				await event(...people(batch + 1));
				expect(repeated(sent())).toEqual([]);
				expect(sent()).toHaveLength(batch + 1);
				expect(await rows()).toEqual([]);
			},
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': 'It compares moments only',
		},
	};
}

export const crmEventA = crmEventDays({
	name: 'crm-event-to-survey',
	path: 'crm-event',
	table: 'Survey A rows to correct',
	batch: 100,
	text: AWKWARD_TEXT,
	service: () => sandbox.a,
	planOf: (email) => sandbox.a.state.customers.get(email)?.properties[0]?.value,
});

export const crmEventB = crmEventDays({
	name: 'crm-event-to-survey-b',
	path: 'crm-event-b',
	table: 'Survey B rows to correct',
	batch: 1,
	text: AWKWARD_TEXT.replace('&', 'and'),
	service: () => sandbox.b,
	planOf: (email) => sandbox.b.state.contacts.get(email)?.attributes.plan,
});
