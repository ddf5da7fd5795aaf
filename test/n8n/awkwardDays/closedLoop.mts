import {
	AWKWARD_TEXT,
	BY_ID,
	MOMENTS_ONLY,
	repeated,
	type AwkwardDays,
	type Check,
} from './days.mts';
import { onceByTwoImports, refuse } from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const TABLE = 'Detractors with an owner';
const ONE_FEEDBACK = { method: 'GET', path: /feedback\/\d+/ };

const feedback = ({ world }: Play) => world.sandbox.b.state.feedback;
const subjects = (play: Play) =>
	play.mails().map((mail) => /^Subject: (.*?)\r?$/m.exec(mail)?.[1] ?? '');
const mailsTo = (play: Play, address: string) =>
	play.mails().filter((mail) => mail.includes(`To: ${address}`));
const states = async (play: Play) => (await play.rows(TABLE)).map(({ state }) => state);
const due = ({ id }: { id: number }) => `Detractor due: feedback ${id}`;
const late = ({ id }: { id: number }) => `Detractor late: feedback ${id}`;

/** Lets people answer, and strikes the hour. */
async function answered(play: Play, count: number, answer: object = {}): Promise<void> {
	for (let i = 0; i < count; i++) {
		const person = { email: `p${i}@days.example`, campaignId: 101, score: 2, comment: 'Slow' };
		play.world.sandbox.b.answer({ ...person, ...answer });
	}
	await play.hoursLater(0);
}

/** While Survey B refuses to show a feedback, a mail names its row. The owner is reminded as soon as Survey B shows it again. */
const refusedBy = (status: number): Check => {
	return async (play) => {
		await answered(play, 2);
		play.world.sandbox.b.faults.add({ ...ONE_FEEDBACK, kind: refusal(status), times: Infinity });
		await play.hoursLater(73);
		const [one] = feedback(play);
		expect(await play.seen()).toContain(`feedback ${one?.id}, owner`);
		expect(await play.seen()).toContain(String(status));
		play.world.mend();
		play.world.mailbox.messages.length = 0;
		await play.hoursLater(1);
		expect(subjects(play).sort()).toEqual(feedback(play).map(due).sort());
	};
};

/** "Each detractor has an owner, and nobody is forgotten." */
export const closedLoop: AwkwardDays = {
	story: stories.closedLoop,
	days: {
		'an empty list': async (play) => {
			await answered(play, 1, { score: 9 });
			await play.hoursLater(73);
			expect([await play.rows(TABLE), play.mails()]).toEqual([[], []]);
		},
		'one item': async (play) => {
			await answered(play, 1);
			await answered(play, 1, { email: 'closed@days.example' });
			await answered(play, 1, { email: 'typed@days.example', campaignId: 102 });
			const [open, closed, typed] = feedback(play);
			if (!open || !closed || !typed) throw new Error('There is no feedback');
			expect(await states(play)).toEqual(['open', 'open', 'open']);
			const owners = (await play.rows(TABLE)).map(({ owner }) => owner);
			expect(owners).toEqual(['success@example.com', 'success@example.com', 'support@example.com']);
			await play.hoursLater(70);
			expect(play.mails()).toEqual([]);
			for (const hours of [3, 1, 20]) await play.hoursLater(hours);
			expect(subjects(play)).toEqual([open, closed, typed].map(due));
			expect(mailsTo(play, 'support@example.com')).toHaveLength(1);
			closed.status = 'CLOSED';
			play.type(TABLE, { state: ' Done ' }, 3);
			for (const hours of [30, 1, 24, 24]) await play.hoursLater(hours);
			expect(subjects(play).slice(3)).toEqual([late(open)]);
			expect(mailsTo(play, 'team@example.com')).toHaveLength(1);
			expect(await states(play)).toEqual(['escalated', 'done', 'done']);
			open.status = 'CLOSED';
			await play.hoursLater(25);
			expect(await states(play)).toEqual(['done', 'done', 'done']);
			expect(play.mails()).toHaveLength(4);
		},
		'many items': async (play) => {
			await answered(play, 120);
			for (const hours of [73, 1, 49, 1]) await play.hoursLater(hours);
			expect(new Set(subjects(play))).toEqual(
				new Set(feedback(play).flatMap((one) => [due(one), late(one)])),
			);
			expect(repeated(subjects(play))).toEqual([]);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			await answered(play, 1, { comment: AWKWARD_TEXT });
			await play.hoursLater(73);
			expect(play.mails()).toHaveLength(1);
			expect(play.mails()[0]).not.toContain('<b>bad');
			expect(play.mails()[0]).toContain('&lt;b>bad&lt;/b>');
		},
		'no email': async (play) => {
			await answered(play, 1);
			for (const one of feedback(play)) one.contact = { ...one.contact, email: '' };
			await play.hoursLater(73);
			expect(subjects(play)).toEqual(feedback(play).map(due));
		},
		'an address in other case': BY_ID,
		'two answers by one person in an hour': async (play) => {
			await answered(play, 1);
			await answered(play, 1, { score: 0 });
			await answered(play, 1, { campaignId: 102 });
			await play.hoursLater(73);
			expect(subjects(play)).toEqual(feedback(play).map(due));
			expect(subjects(play)).toHaveLength(2);
		},
		'two starts within two seconds': async (play) => {
			await answered(play, 5);
			play.pass(73);
			await Promise.all([play.start('Every Hour'), play.start('Every Hour')]);
			await play.settle();
			expect(subjects(play).sort()).toEqual(feedback(play).map(due).sort());
		},
		'a fault of the service': refusedBy(500),
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': async (play) => {
			refuse(play, 401, 'service');
			await answered(play, 1);
			expect(await play.seen()).toContain('401');
			// The hour after the mending lists who could not be listed.
			play.world.mend();
			for (const hours of [1, 73]) await play.hoursLater(hours);
			expect(subjects(play)).toEqual(feedback(play).map(due));
			await play.begin();
			await play.publish();
			await refusedBy(401)(play);
		},
		'an erased person': async (play) => {
			await answered(play, 1);
			// erase-person deletes the feedback in Survey B. The table has no address.
			expect(JSON.stringify(await play.rows(TABLE))).not.toContain('p0@days.example');
			feedback(play).length = 0;
			await play.hoursLater(73);
			expect(subjects(play)).toEqual(['A detractor could not be followed up']);
			expect(play.mails()[0]).toMatch(/Row 1, feedback \d+, owner .*404/);
			play.type(TABLE, { state: 'done' });
			for (const hours of [25, 49]) await play.hoursLater(hours);
			expect(play.mails()).toHaveLength(1);
		},
		'a hand in the table': async (play) => {
			const typed = [
				...['', null, 'Waiting', ' x ', '{"a'].map((state) => ({ state })),
				...['', null, 'nobody', '{"a'].map((owner) => ({ owner })),
				...['', null, ' x '].map((campaign) => ({ campaign })),
			];
			await answered(play, typed.length);
			const rows = await play.rows(TABLE);
			for (const [i, values] of typed.entries()) play.type(TABLE, values, Number(rows[i]?.id));
			// Somebody postpones one.
			await answered(play, 1, { email: 'later@days.example' });
			const postponed = new Date(Date.now() + 99 * 3_600_000).toISOString();
			play.type(TABLE, { due: postponed.replace('T', ' ').replace('Z', '') }, typed.length + 1);
			await play.hoursLater(73);
			const seen = play.mails().join('\n');
			const wrong = rows.filter(({ id, feedback }) => {
				const isNamed = seen.includes(`Row ${id}, feedback ${feedback}, owner`);
				return !isNamed && !subjects(play).includes(due({ id: Number(feedback) }));
			});
			expect(wrong).toEqual([]);
			expect(repeated(subjects(play).filter((one) => /due/.test(one)))).toEqual([]);
			const last = feedback(play).at(-1);
			if (!last) throw new Error('There is no feedback');
			expect(subjects(play)).not.toContain(due(last));
			await play.hoursLater(27);
			expect(subjects(play)).toContain(due(last));
		},
		'a mass update': async (play) => {
			// Answers of last year that somebody opens again.
			for (let i = 0; i < 20; i++)
				play.world.sandbox.b.answer({ email: `p${i}@days.example`, campaignId: 101, score: 2 });
			for (const one of feedback(play)) one.created = '2025-01-01T00:00:00.000000Z';
			for (const hours of [1, 73]) await play.hoursLater(hours);
			expect([await play.rows(TABLE), play.mails()]).toEqual([[], []]);
		},
		'a second import': onceByTwoImports,
	},
};
