import { host } from '../../support/n8n.mts';
import type { Check } from './days.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';

/** The end of a story: its effects that are missing, and those that came too often. */
interface Result {
	never: string[];
	twice: string[];
	/** All that a person was told, without opening a run. */
	seen: string;
}

export async function resultOf(play: Play, expected = play.story.expected): Promise<Result> {
	const done = await play.story.done(play);
	return {
		never: without(expected, done),
		twice: without(done, expected),
		seen: await play.seen(),
	};
}

async function begun(play: Play): Promise<void> {
	await play.begin();
	await play.publish();
}

type Account = 'service' | 'crm';

/** Lets accounts refuse everything until they are mended. */
export function refuse(play: Play, status: number, ...accounts: Account[]): void {
	const { sandbox, receiver } = play.world;
	if (accounts.includes('crm')) receiver.refusal = { status };
	if (!accounts.includes('service')) return;
	for (const { faults } of [sandbox.a, sandbox.b]) {
		faults.add({ path: /^(?!.*hooks)/, kind: refusal(status), times: Infinity });
	}
}

/**
 * Lets an account refuse everything for an hour in which it happens, and mends it.
 *
 * @returns also what a person saw at once, what was missing two hours after the mending, and the clicks on Retry that completed it
 */
export async function failingAccount(play: Play, account: Account, status: number) {
	await begun(play);
	refuse(play, status, account);
	await play.story.happens(play);
	await play.settle();
	const atOnce = await play.seen();
	await play.hoursLater(1);
	play.world.mend();
	for (const hours of [1, 1]) await play.hoursLater(hours);
	const alone = await resultOf(play);
	const clicks = alone.never.length > 0 ? await play.retryAll() : 0;
	await play.settle();
	await play.hoursLater(25);
	return { ...(await resultOf(play)), atOnce, missing: alone.never, clicks };
}

/** After an hour in which an account fails, all is done without a click, and somebody hears at once. */
export const afterFailingAccount = (...accounts: Account[]): Check => {
	return async (play) => {
		for (const account of accounts) {
			const { never, twice, atOnce, missing, clicks } = await failingAccount(play, account, 401);
			expect([account, never, twice, missing, clicks]).toEqual([account, [], [], [], 0]);
			expect(atOnce).not.toBe('');
		}
	};
};

/** The same of the service, for both statuses of an account that is refused, which the person is told. */
export const afterRefusedService: Check = async (play) => {
	for (const status of [401, 403]) {
		const { never, twice, atOnce, missing, clicks } = await failingAccount(play, 'service', status);
		expect([never, twice, missing, clicks]).toEqual([[], [], [], 0]);
		expect(atOnce).toContain(String(status));
	}
};

/** The run fails where the CRM refuses, somebody hears at once, and one click writes everything. */
export const afterOneClick: Check = async (play) => {
	const { never, atOnce, clicks } = await failingAccount(play, 'crm', 401);
	expect([never, clicks]).toEqual([[], 1]);
	expect(atOnce).not.toBe('');
};

/** Imports and publishes an example twice, and lets it happen once. */
export async function importedTwice(play: Play): Promise<Result> {
	await begun(play);
	const again = await play.imported();
	// A webhook's path is taken by the first import, so n8n refuses to publish a second one.
	for (const id of again) await host.n8n.activate(id).catch(() => undefined);
	await play.story.happens(play);
	await play.settle();
	for (const hours of [3, 25]) await play.hoursLater(hours);
	return await resultOf(play);
}

/** Nothing is missing, and nothing happens twice. */
export const onceByTwoImports: Check = async (play) => {
	const { never, twice } = await importedTwice(play);
	expect([never, twice]).toEqual([[], []]);
};

/** Nothing is missing. */
export const allByTwoImports: Check = async (play) => {
	const { never } = await importedTwice(play);
	expect(never).toEqual([]);
};

/** Lets it happen for somebody who was erased. */
export async function erasedPerson(play: Play, email: string): Promise<string[]> {
	await begun(play);
	await play.erased(email);
	await play.story.happens(play);
	await play.settle();
	for (const hours of [3, 25]) await play.hoursLater(hours);
	return (await play.story.done(play)).filter((one) => one.includes(email));
}

/** Texts that people type into a cell. */
const TYPED = ['', null, 'Waiting', ' x ', '{"plan": "pro'];

/** Rows that nobody types into. */
const OTHERS = 3;

/**
 * Types odd values into cells of rows that are open: one value into one cell of a row. Returns what went wrong: another row
 * that was not done, and a row that was neither done nor named to a person.
 *
 * @param fill lets happen what makes so many rows, while every account is refused
 */
export async function handInTable(
	play: Play,
	table: string,
	fill: (count: number) => Promise<unknown>,
): Promise<string[]> {
	refuse(play, 401, 'service', 'crm');
	const columns = play.textColumnsOf(table);
	await fill(columns.length * TYPED.length + OTHERS);
	await play.settle();
	play.world.mend();
	const rows = await play.rows(table);
	const typed = columns.flatMap((column) => TYPED.map((value) => ({ [column]: value })));
	for (const [i, values] of typed.entries()) play.type(table, values, Number(rows[i]?.id));
	play.world.mailbox.messages.length = 0;
	await play.hoursLater(25);
	const seen = await play.seen();
	const after = await play.rows(table);
	return rows.flatMap(({ id }, i) => {
		const row = after.find((one) => one.id === id);
		const isDone = String(row?.not_before) > '2100';
		const isNamed = seen.includes(`Row ${String(id)},`);
		if (isDone || (isNamed && i < typed.length)) return [];
		return [`${JSON.stringify(typed[i] ?? 'no typing')} into row ${JSON.stringify(row)}`];
	});
}

/** Returns the entries of a list that another one does not have as often. */
function without(list: string[], other: string[]): string[] {
	const left = [...other];
	return list.filter((one) => {
		const place = left.indexOf(one);
		if (place >= 0) left.splice(place, 1);
		return place < 0;
	});
}
