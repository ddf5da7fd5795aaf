import { recordsOf, updateRows } from '../../support/dataTable.mts';
import { holdNext } from '../../support/hold.mts';
import { host, sandbox } from '../../support/n8n.mts';
import {
	addresses,
	contactsOfB,
	imported,
	killDuring,
	receiver,
	optOutOfA,
	refusal,
	repeated,
	runTwice,
	seenByPeople,
	unsubscribeInB,
	whilePublished,
	type AwkwardDays,
} from './setup.mts';

const NAME = 'opt-outs-to-crm';
const TABLE = 'Survey opt-outs';
const ADA = 'Ada@Days.example';

let id = '';

const hourly = async () => await host.n8n.run(id, { trigger: 'Every Hour' });
const rows = async () => await recordsOf(host.n8n, TABLE);
/** Returns the addresses that the CRM was told about. */
const marked = () => receiver.calls.map(({ body }) => String(Object(body).email));
const outOfA = () => sandbox.a.state.unsubscribed.map(({ email }) => email);
const outOfB = () => sandbox.b.state.unsubscribed.map(({ email }) => email);

async function morningMail(): Promise<string> {
	await host.n8n.run(id, { trigger: 'Every Morning' });
	return await seenByPeople(id);
}

/** Survey B, the CRM and Survey A's outbox refuse one after the other. Somebody hears of each, and all is done afterwards. */
const refusedBy = (status: number) => async () => {
	const { a, b } = sandbox;
	id = await imported(NAME);
	await contactsOfB([ADA]);
	await optOutOfA([ADA]);
	b.faults.add({ path: /unsubscribe/, kind: refusal(status), times: Infinity });
	await hourly();
	expect(await rows()).toMatchObject([{ done: false }]);
	expect(await morningMail()).toContain(ADA);
	b.faults.clear();
	receiver.refusal = { status };
	await hourly();
	expect(outOfB()).toEqual([ADA]);
	expect(await rows()).toMatchObject([{ done: false }]);
	expect(await morningMail()).toContain('Row 1');
	receiver.refusal = undefined;
	a.faults.add({ path: /outbox/, kind: refusal(status), times: Infinity });
	expect(await hourly()).toMatchObject({ status: 'error' });
	a.faults.clear();
	await hourly();
	expect(await rows()).toMatchObject([{ done: true }]);
};

/** "Who wants no more surveys gets none, from anybody." */
export const optOuts: AwkwardDays = {
	name: NAME,
	days: {
		'an empty list': async () => {
			id = await imported(NAME);
			expect(await hourly()).toMatchObject({ status: 'success' });
			expect(await rows()).toEqual([]);
			expect(marked()).toEqual([]);
		},
		'one item': async () => {
			// Somebody whose address bounced in Survey A, and who then unsubscribes in Survey B.
			id = await imported(NAME);
			await contactsOfB([ADA]);
			await optOutOfA([ADA], 'isBounced');
			await hourly();
			await leaveB(ADA);
			expect(outOfA()).toEqual([ADA]);
		},
		'500 items': async () => {
			// A CRM that refuses as many rows as one run takes, here 100, must not keep the others waiting.
			id = await imported(NAME, ({ nodes }) => {
				const open = nodes.find(({ name }) => name === 'Get Open Rows');
				Object.assign(open?.parameters ?? {}, { limit: 100 });
			});
			receiver.refusal = { status: 400, unless: 'last@days.example' };
			await optOutOfA(addresses(150));
			await hourly();
			await optOutOfA(['last@days.example']);
			await hourly();
			const done = (await rows()).filter((row) => row.done === true);
			expect(done.map(({ email }) => email)).toEqual(['last@days.example']);
		},
		'quotes, newlines, emoji and HTML': async () => {
			id = await imported(NAME);
			receiver.refusal = { status: 400 };
			await optOutOfA([ADA]);
			await hourly();
			expect(await morningMail()).toContain('&lt;the CRM>');
		},
		'no email': async () => {
			id = await imported(NAME);
			await optOutOfA([ADA, 'b@days.example']);
			Object.assign(sandbox.a.state.outbox[0] ?? {}, { email: null });
			expect(await hourly()).toMatchObject({ status: 'success' });
			expect(marked()).toEqual(['b@days.example']);
		},
		'an address in other case': async () => {
			sandbox.a.settings.exactEmails = true;
			sandbox.b.settings.exactEmails = true;
			id = await imported(NAME);
			await contactsOfB([ADA]);
			await optOutOfA([ADA]);
			// Survey B reports the unsubscribe that the hourly run asks for. It is an echo.
			await whilePublished(id, hourly, 2);
			expect(outOfB()).toEqual([ADA]);
			expect(marked()).toEqual([ADA]);
			expect(outOfA()).toEqual([]);
		},
		'two answers by one person in an hour': 'It gets no answers',
		'two starts within two seconds': async () => {
			id = await imported(NAME);
			await contactsOfB(addresses(20));
			await optOutOfA(addresses(20));
			receiver.refusal = { status: 400 };
			await hourly();
			receiver.refusal = undefined;
			receiver.calls.length = 0;
			await runTwice(id, 'Every Hour');
			expect(repeated(marked())).toEqual([]);
			expect(marked()).toHaveLength(20);
		},
		'a restart in the middle': async () => {
			id = await imported(NAME);
			await contactsOfB([ADA]);
			await optOutOfA([ADA]);
			const { arrived, release } = holdNext(sandbox.b.faults, { path: /unsubscribe/ });
			await host.n8n.start(id, 'Every Hour');
			await killDuring(arrived, release);
			// An hour later.
			await updateRows(host.n8n, TABLE, { free_at: new Date().toISOString() });
			await hourly();
			expect(outOfB()).toEqual([ADA]);
			expect(await rows()).toMatchObject([{ done: true }]);
		},
		'a 401 in the middle': refusedBy(401),
		'a 403 in the middle': refusedBy(403),
		'a 429 in the middle': async () => {
			id = await imported(NAME);
			await contactsOfB([ADA]);
			await optOutOfA([ADA]);
			sandbox.b.faults.add({ path: /unsubscribe/, kind: refusal(429), times: 2 });
			await hourly();
			expect(await rows()).toMatchObject([{ done: true }]);
		},
		'a 500 in the middle': refusedBy(500),
		'a change of clocks': 'It compares moments only',
	},
};

/** Unsubscribes somebody in Survey B while the workflow listens. */
async function leaveB(email: string): Promise<void> {
	const contact = sandbox.b.state.contacts.get(email.toLowerCase());
	// The bounce has unsubscribed the contact already. It subscribed again, and now leaves for good.
	if (contact) contact.unsubscribed = false;
	const before = (await host.n8n.executions(id)).length;
	await whilePublished(id, async () => await unsubscribeInB(email), before + 1);
}
