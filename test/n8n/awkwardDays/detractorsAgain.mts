import { request } from '../../support/sandbox';
import { addresses, AWKWARD_TEXT, MOMENTS_ONLY, repeated, type AwkwardDays } from './days.mts';
import { afterFailingAccount, erasedPerson, onceByTwoImports } from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const TABLE = 'Detractors surveyed again';
const ADA = 'ada@days.example';
const DAY = 24;
const SEND = { path: /survey\/?$/ };

const { closedDetractor } = stories;

const surveyed = ({ world }: Play) => world.sandbox.b.state.sent.map(({ email }) => email);

/** Begins without the detractors of the story. */
async function begun({ world }: Play, ...emails: string[]): Promise<void> {
	const { state } = world.sandbox.b;
	state.feedback.length = 0;
	for (const email of emails) closedDetractor(world, email);
}

async function hour(play: Play): Promise<void> {
	await play.start('Every Hour');
	await play.settle();
}

/** "Detractors are surveyed again after 60 days, once." */
export const detractorsAgain: AwkwardDays = {
	story: stories.detractorsAgain,
	days: {
		'an empty list': async (play) => {
			await begun(play);
			await hour(play);
			expect([surveyed(play), await play.rows(TABLE), play.mails()]).toEqual([[], [], []]);
		},
		'one item': async (play) => {
			await begun(play);
			const { world } = play;
			const { state } = world.sandbox.b;
			closedDetractor(world, ADA, { closed: 59 });
			closedDetractor(world, 'open@days.example', { status: 'OPEN' });
			closedDetractor(world, 'late@days.example', { posted: 100, closed: 91 });
			closedDetractor(world, 'out@days.example');
			await request(world.sandbox.b, 'POST /api/v2/contacts/unsubscribe/', {
				emails: ['out@days.example'],
			});
			// Answers since, as a detractor and as a promoter.
			closedDetractor(world, 'again@days.example', { posted: 100 });
			closedDetractor(world, 'again@days.example', { campaignId: 102, posted: 70, closed: 20 });
			closedDetractor(world, 'happy@days.example');
			world.sandbox.b.answer({ email: 'happy@days.example', campaignId: 102, score: 10 });
			state.lastSurveyed.clear();
			await hour(play);
			expect(surveyed(play)).toEqual([]);
			await play.hoursLater(2 * DAY);
			expect(surveyed(play)).toEqual([ADA]);
			expect((await play.rows(TABLE)).map(({ email, result }) => `${email}: ${result}`)).toEqual(
				expect.arrayContaining([
					`${ADA}: surveyed`,
					expect.stringMatching(/out@days\.example: left out: .*unsubscribed/),
				]),
			);
			await play.hoursLater(2 * DAY);
			await play.hoursLater(20 * DAY);
			expect(surveyed(play)).toEqual([ADA]);
			expect(play.mails()).toEqual([]);
			// The other one was closed 20 days ago, when it was not yet their turn.
			await play.hoursLater(17 * DAY);
			expect(surveyed(play)).toEqual([ADA, 'again@days.example']);
		},
		'many items': async (play) => {
			await begun(play, ...addresses(130));
			play.world.sandbox.b.faults.add({ ...SEND, kind: refusal(400), times: 1 });
			await hour(play);
			expect(surveyed(play)).toHaveLength(129);
			expect(play.mails()).toHaveLength(1);
			await hour(play);
			expect([...surveyed(play)].sort()).toEqual(addresses(130).sort());
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			await begun(play, ADA);
			const [given] = play.world.sandbox.b.state.feedback;
			Object.assign(given ?? {}, { comment: AWKWARD_TEXT });
			Object.assign(given?.contact ?? {}, { first_name: 'Zoë <b>' });
			const body = { detail: '<b>bad</b>' };
			play.world.sandbox.b.faults.add({ ...SEND, kind: { status: 400, body }, times: 1 });
			await hour(play);
			expect(play.mails()).toHaveLength(1);
			expect(play.mails()[0]).not.toContain('<b>bad');
			await hour(play);
			expect(surveyed(play)).toEqual([ADA]);
		},
		'no email': async (play) => {
			await begun(play, ADA, 'b@days.example');
			const [first] = play.world.sandbox.b.state.feedback;
			Object.assign(first?.contact ?? {}, { email: '' });
			await hour(play);
			expect(surveyed(play)).toEqual(['b@days.example']);
		},
		'an address in other case': async (play) => {
			play.world.sandbox.b.settings.exactEmails = true;
			await begun(play, 'Ada@Days.example');
			await hour(play);
			await hour(play);
			expect(surveyed(play)).toEqual(['Ada@Days.example']);
		},
		'two answers by one person in an hour': async (play) => {
			await begun(play);
			closedDetractor(play.world, ADA, { posted: 80 });
			closedDetractor(play.world, ADA, { posted: 80, campaignId: 102 });
			await hour(play);
			await play.hoursLater(2 * DAY);
			expect(surveyed(play)).toEqual([ADA]);
		},
		'two starts within two seconds': async (play) => {
			await begun(play, ...addresses(10));
			await Promise.all([play.start('Every Hour'), play.start('Every Hour')]);
			await play.settle();
			await play.hoursLater(2 * DAY);
			expect(repeated(surveyed(play))).toEqual([]);
			expect(surveyed(play)).toHaveLength(10);
		},
		'a fault of the service': async (play) => {
			await begun(play, ADA);
			play.world.sandbox.b.faults.add({ ...SEND, kind: refusal(500), times: Infinity });
			await hour(play);
			expect(play.mails().join()).toMatch(/ada@days\.example: .*500/);
			play.world.mend();
			await play.hoursLater(2 * DAY);
			expect(surveyed(play)).toEqual([ADA]);
			// A person who has answered since is not surveyed, even if that answer could not be read at first.
			await begun(play, 'b@days.example');
			play.world.sandbox.b.answer({ email: 'b@days.example', campaignId: 102, score: 9 });
			const answers = { when: ({ url }: { url: string }) => url.includes('email=b') };
			play.world.sandbox.b.faults.add({ ...answers, kind: refusal(503), times: 1 });
			await hour(play);
			await hour(play);
			expect(surveyed(play)).toEqual([ADA]);
		},
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': afterFailingAccount('service'),
		'an erased person': async (play) => {
			expect(await erasedPerson(play, 'p0@days.example')).toEqual([]);
			expect(surveyed(play)).toEqual(['p1@days.example']);
		},
		'a hand in the table': async (play) => {
			await begun(play, ADA);
			await hour(play);
			// Texts of a row may change. Nobody is surveyed twice by that.
			for (const value of ['', null, 'Waiting']) play.type(TABLE, { email: value, result: value });
			await play.hoursLater(2 * DAY);
			expect(surveyed(play)).toEqual([ADA]);
		},
		'a mass update': async (play) => {
			// A manager closes all detractors of two years at once.
			await begun(play);
			for (const email of addresses(30)) {
				closedDetractor(play.world, email, { posted: 300, closed: 61 });
			}
			await hour(play);
			expect(surveyed(play)).toEqual([]);
		},
		'a second import': onceByTwoImports,
	},
};
