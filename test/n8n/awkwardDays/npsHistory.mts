import { AWKWARD_TEXT, MOMENTS_ONLY, NO_TABLE, repeated, type AwkwardDays } from './days.mts';
import { importedTwice } from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const TABLE = 'Survey history';
const ADA = 'Ada@Days.example';

const rows = async (play: Play) => await play.rows(TABLE);
const keys = async (play: Play) => (await rows(play)).map(({ key }) => String(key));

async function month(play: Play): Promise<void> {
	await play.start('Every Month');
	await play.settle();
}

const answer = ({ world }: Play, score: number, comment = 'Yes') =>
	world.sandbox.b.answer({ email: ADA, campaignId: 101, score, comment });

/** "The NPS of all years and services": a row for each response. */
export const npsHistory: AwkwardDays = {
	story: { ...stories.npsHistory, begin: undefined },
	days: {
		'an empty list': async (play) => {
			await month(play);
			expect(await rows(play)).toEqual([]);
		},
		'one item': async (play) => {
			const feedback = answer(play, 9);
			await month(play);
			feedback.campaign.name = 'Renamed';
			await month(play);
			expect(await rows(play)).toMatchObject([{ score: 9, campaign: 'Renamed' }]);
			// Feedback that is deleted in Survey B is deleted here. Another answer keeps the list from being empty.
			play.world.sandbox.b.state.feedback.length = 0;
			play.world.sandbox.b.answer({ email: 'b@days.example', campaignId: 101, score: 2 });
			await month(play);
			expect(await rows(play)).toMatchObject([{ email: 'b@days.example' }]);
		},
		'many items': async (play) => {
			play.world.sandbox.b.seedFeedback(500);
			play.world.sandbox.a.seedFeedback(30);
			const ofA = play.world.sandbox.a.state.feedback.filter((one) => one.metricsType === 'NPS');
			await month(play);
			await month(play);
			expect(repeated(await keys(play))).toEqual([]);
			expect(await keys(play)).toHaveLength(500 + ofA.length);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			answer(play, 9, AWKWARD_TEXT).campaign.name = '<b>Yearly</b>';
			await month(play);
			expect(await rows(play)).toMatchObject([{ comment: AWKWARD_TEXT }]);
			expect(await play.seen()).not.toContain('<b>Yearly');
		},
		'no email': async (play) => {
			const feedback = answer(play, 9);
			feedback.contact = { ...feedback.contact, email: '' };
			await month(play);
			expect(await rows(play)).toMatchObject([{ email: '', score: 9 }]);
		},
		'an address in other case': 'It asks for no address, and stores it as it is',
		'two answers by one person in an hour': async (play) => {
			answer(play, 2);
			await month(play);
			answer(play, 10, 'Better');
			await month(play);
			expect(await rows(play)).toMatchObject([{ score: 10, comment: 'Better' }]);
		},
		'two starts within two seconds': async (play) => {
			play.world.sandbox.b.seedFeedback(120);
			await Promise.all([play.start('Every Month'), play.start('Every Month')]);
			await play.settle();
			await month(play);
			expect(repeated(await keys(play))).toEqual([]);
			expect(await keys(play)).toHaveLength(120);
		},
		'a fault of the service': async (play) => {
			answer(play, 9);
			await month(play);
			// One service cannot be read: the run fails, and the rows of the month before stay.
			const read = { path: /feedback/, kind: refusal(500), times: Infinity };
			play.world.sandbox.b.faults.add(read);
			await month(play);
			expect(await play.seen()).toContain('500');
			expect(await rows(play)).toHaveLength(1);
		},
		'a change of clocks': 'Its months are those of UTC',
		'an account that is refused for an hour': async (play) => {
			for (const service of ['a', 'b'] as const) {
				answer(play, 9);
				play.world.sandbox[service].faults.add({
					path: /feedback/,
					kind: refusal(401),
					times: Infinity,
				});
				await month(play);
				expect(await play.seen()).toContain('401');
				play.world.mend();
				await play.retryAll();
				await play.settle();
				expect(await rows(play)).toMatchObject([{ email: ADA, score: 9 }]);
			}
		},
		'an erased person': async (play) => {
			await play.erased(ADA);
			answer(play, 9);
			play.world.sandbox.b.answer({ email: 'b@days.example', campaignId: 101, score: 9 });
			await month(play);
			expect(await rows(play)).toMatchObject([{ email: 'b@days.example' }]);
		},
		'a hand in the table': async (play) => {
			// The next month has what the services have, whatever was typed.
			const story = { ...stories.npsHistory };
			expect(story.name).toBe('nps-history');
			answer(play, 9);
			await month(play);
			play.type(TABLE, { key: null, campaign: 'x', email: ' ' });
			await month(play);
			expect(await rows(play)).toMatchObject([{ email: ADA, score: 9 }]);
		},
		'a mass update': MOMENTS_ONLY,
		'a second import': async (play) => {
			answer(play, 9);
			const { never } = await importedTwice(play);
			expect(never.filter((one) => one !== 'row ada@days.example')).toEqual([]);
			await month(play);
			expect(repeated(await keys(play))).toEqual([]);
		},
	},
};

const HEAD = 'email,score,date,campaign,comment\n';

async function upload(play: Play, csv: string): Promise<void> {
	const form = new FormData();
	form.append('field-0', new Blob([csv], { type: 'text/csv' }), 'old.csv');
	await play.submit('Upload CSV', form);
	await play.settle();
}

/** "The history of an earlier provider joins the NPS history." */
export const npsHistoryImport: AwkwardDays = {
	story: stories.npsImport,
	days: {
		'an empty list': async (play) => {
			await upload(play, HEAD);
			expect(await play.seen()).toContain('Nothing is stored');
			await upload(play, 'email;score;date\na@days.example;9;2024-01-01\n');
			expect((await play.runs()).at(-1)).toMatchObject({ status: 'error' });
			expect(await rows(play)).toEqual([]);
		},
		'one item': async (play) => {
			for (let time = 0; time < 2; time++)
				await upload(play, `${HEAD}${ADA},9,2024-05-31,Yearly,Fine\n`);
			expect(await rows(play)).toMatchObject([{ email: ADA, date: '2024-05-31T00:00:00.000Z' }]);
		},
		'many items': async (play) => {
			const lines = Array.from({ length: 500 }, (_, i) => `p${i}@days.example,9,2024-05-31,,\n`);
			await upload(play, HEAD + lines.join(''));
			expect(await rows(play)).toHaveLength(500);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			// As Excel writes it, with a byte order mark.
			const cell = `"${AWKWARD_TEXT.replaceAll('"', '""')}"`;
			const head = '\uFEFFemail,score,date,campaign,comment\r\n';
			await upload(play, `${head}${ADA},9,2024-05-31,Yearly,${cell}\r\n${ADA},x,y,z,\r\n`);
			expect(await rows(play)).toMatchObject([{ email: ADA, comment: AWKWARD_TEXT }]);
			expect(await play.seen()).toContain('1 rows of the file are not stored');
		},
		'no email': async (play) => {
			await upload(play, `${HEAD},7,2024-06-01,,\n,7,2024-06-01,,\n`);
			expect(await rows(play)).toMatchObject([{ email: '' }, { email: '' }]);
		},
		'an address in other case': 'It asks for no address, and stores it as it is',
		'two answers by one person in an hour': 'Each line of the file is an answer',
		'two starts within two seconds': async (play) => {
			const csv = `${HEAD}${ADA},9,2024-05-31,Yearly,Fine\n`;
			await Promise.all([upload(play, csv), upload(play, csv)]);
			expect(await rows(play)).toHaveLength(1);
		},
		'a fault of the service': 'It asks no service',
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': 'It asks no service',
		'an erased person': async (play) => {
			await play.erased(ADA);
			await upload(play, `${HEAD}${ADA},9,2024-05-31,,\nb@days.example,9,2024-05-31,,\n`);
			expect((await rows(play)).map(({ email }) => email)).toEqual(['b@days.example']);
		},
		'a hand in the table': NO_TABLE,
		'a mass update': 'It stores what the file has',
		'a second import': 'n8n publishes no second form with the same address',
	},
};
