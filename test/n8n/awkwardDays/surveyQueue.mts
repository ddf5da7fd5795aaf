import { recordsOf, updateRows } from '../../support/dataTable.mts';
import { host, sandbox, type WorkflowInput } from '../../support/n8n.mts';
import {
	addresses,
	AWKWARD_TEXT,
	contactsOfB,
	imported,
	optOutOfA,
	post,
	refusal,
	repeated,
	runTwice,
	seenByPeople,
	setFields,
	surveyedByA,
	unsubscribeInB,
	whilePublished,
	type AwkwardDays,
} from './setup.mts';

const NAME = 'survey-queue';
const TABLE = 'Survey queue';
const CAMPAIGN = '64a000000000000000000003';
const ADA = 'Ada@Days.example';

let id = '';

/** Opens the working hours at all times. */
const always = (settings: object) => (workflow: WorkflowInput) => {
	setFields(workflow, 'Defaults', { 'defaults.campaign': CAMPAIGN });
	const hours = { workDays: '[1, 2, 3, 4, 5, 6, 7]', fromHour: 0, toHour: 24 };
	setFields(workflow, 'Settings', { ...hours, ...settings });
};

const hourly = async () => await host.n8n.run(id, { trigger: 'Every Hour' });
const rows = async () => await recordsOf(host.n8n, TABLE);
const sentByA = () => sandbox.a.state.sent.map(({ email }) => email);
const sentByB = () => sandbox.b.state.sent.map(({ email }) => email);
const byB = (email: string) => ({ email, service: 'B', campaign: '101' });

/** Imports the queue, and posts people to its webhook. Returns the response. */
async function queued(people: unknown[], settings: object = {}) {
	id = await imported(NAME, always(settings));
	let response: unknown;
	await whilePublished(id, async () => {
		({ data: response } = await post('queue-a-survey', { people }));
	});
	return response;
}

/** Returns the state of each row by its email. */
async function states(): Promise<Record<string, unknown>> {
	return Object.fromEntries((await rows()).map(({ email, state }) => [email, state]));
}

/** Both services refuse to send. The rows wait, a person hears of it, and they go out when the refusal ends. */
const refusedBy = (status: number, state: Record<'A' | 'B', string>) => async () => {
	const { a, b } = sandbox;
	for (const service of [a, b]) {
		service.faults.add({
			...{ method: 'POST', path: /survey\/?$/, kind: refusal(status), times: Infinity },
		});
	}
	await queued([{ email: ADA }, byB('b@days.example')]);
	expect(await hourly()).toMatchObject({ status: 'success' });
	expect(await states()).toEqual({ [ADA]: state.A, 'b@days.example': state.B });
	await host.n8n.run(id, { trigger: 'Every Morning' });
	if (state.A === 'waiting after failure') expect(await seenByPeople(id)).toContain(ADA);
	a.faults.clear();
	b.faults.clear();
	// An hour later.
	await updateRows(host.n8n, TABLE, { not_before: new Date(Date.now() - 1000).toISOString() });
	await hourly();
	expect(sentByB()).toEqual(['b@days.example']);
	expect(sentByA()).toEqual(state.A === 'checking' ? [] : [ADA]);
};

/** "Decides who is surveyed, when and by which service, and nobody twice." */
export const surveyQueue: AwkwardDays = {
	name: NAME,
	days: {
		'an empty list': async () => {
			expect(await queued([])).toEqual([]);
			expect(await hourly()).toMatchObject({ status: 'success' });
			expect(sentByA()).toEqual([]);
		},
		'one item': async () => {
			// With Survey B only, after the nodes of the note are deactivated.
			const ofA = ['Get Outbox of Each', 'Get Outbox of Person', 'Send by Survey A'];
			id = await imported(NAME, (workflow) => {
				always({})(workflow);
				for (const node of workflow.nodes.filter(({ name }) => ofA.includes(name))) {
					Object.assign(node, { disabled: true, credentials: {} });
				}
			});
			const people = [byB(ADA), { email: 'a@days.example' }];
			await whilePublished(id, async () => await post('queue-a-survey', { people }));
			await hourly();
			expect(sentByB()).toEqual([ADA]);
			expect(await states()).toEqual({ [ADA]: 'sent', 'a@days.example': 'decide' });
		},
		'500 items': async () => {
			// The first ten have opted out: they must not use up the five places of the day.
			await optOutOfA(addresses(10));
			sandbox.a.state.sent.length = 0;
			for (const one of sandbox.a.state.outbox) one.sentDate = '2020-01-01T00:00:00.000Z';
			await queued(
				addresses(500).map((email) => ({ email })),
				{ surveysPerDay: 5 },
			);
			await hourly();
			expect(sentByA().sort()).toEqual(addresses(15).slice(10).sort());
			const left = (await rows()).filter(({ state }) => state === 'left out');
			expect(left).toHaveLength(10);
		},
		'quotes, newlines, emoji and HTML': async () => {
			await queued([
				{ email: ADA, columns: { plan: AWKWARD_TEXT } },
				{ email: 'text@days.example', columns: '<b>no JSON</b>' },
				{ email: 'zone@days.example', time_zone: 'Europe/Berlln' },
			]);
			// Somebody edits the table, and takes the wrong zone for a right one.
			const zone = (await rows()).find(({ email }) => email === 'zone@days.example');
			await updateRows(host.n8n, TABLE, { state: 'waiting' }, zone?.id);
			await hourly();
			expect(sentByA()).toEqual([ADA]);
			const { properties } = sandbox.a.state.customers.get(ADA.toLowerCase()) ?? {};
			expect(properties).toMatchObject([{ value: AWKWARD_TEXT }]);
			expect(await states()).toMatchObject({
				'text@days.example': 'decide',
				'zone@days.example': 'decide',
			});
		},
		'no email': async () => {
			await queued([null, 7, 'text@days.example', {}, { email: ADA }]);
			await hourly();
			expect(sentByA().sort()).toEqual([ADA, 'text@days.example'].sort());
			await host.n8n.run(id, { trigger: 'Every Morning' });
			expect(await seenByPeople(id)).toContain('There is no valid email');
		},
		'an address in other case': async () => {
			sandbox.a.settings.exactEmails = true;
			sandbox.b.settings.exactEmails = true;
			await surveyedByA(['Today@Days.example']);
			await optOutOfA(['Out@Days.example']);
			await contactsOfB(['Left@Days.example']);
			await unsubscribeInB('Left@Days.example');
			sandbox.a.state.sent.length = 0;
			await queued([
				...['Today@Days.example', 'Out@Days.example', ADA].map((email) => ({ email })),
				byB('Left@Days.example'),
				byB(ADA.toLowerCase()),
			]);
			await hourly();
			expect([...sentByA(), ...sentByB()]).toEqual([ADA]);
		},
		'two answers by one person in an hour': 'It gets no answers',
		'two starts within two seconds': async () => {
			await queued(
				addresses(12).map((email) => ({ email })),
				{ surveysPerDay: 8 },
			);
			await runTwice(id, 'Every Hour');
			expect(repeated(sentByA())).toEqual([]);
			expect(sentByA().length).toBeLessThanOrEqual(8);
			expect(sentByA().length).toBeGreaterThan(0);
		},
		'a restart in the middle': 'test/n8n/surveyQueue.test.mts kills n8n while a survey goes out',
		'a 401 in the middle': refusedBy(401, {
			A: 'waiting after failure',
			B: 'waiting after failure',
		}),
		'a 403 in the middle': refusedBy(403, {
			A: 'waiting after failure',
			B: 'waiting after failure',
		}),
		'a 429 in the middle': async () => {
			const { a } = sandbox;
			a.faults.add({ method: 'POST', path: /survey$/, kind: refusal(429), times: 2 });
			await queued([{ email: ADA }]);
			await hourly();
			expect(sentByA()).toEqual([ADA]);
		},
		'a 500 in the middle': refusedBy(500, { A: 'checking', B: 'waiting to repeat' }),
		'a change of clocks': 'test/simulate/queue.test.mts runs it over one',
	},
};
