import { recordsOf } from '../../support/dataTable.mts';
import { holdNext } from '../../support/hold.mts';
import { host, sandbox } from '../../support/n8n.mts';
import {
	AWKWARD_TEXT,
	imported,
	killDuring,
	refusal,
	repeated,
	runTwice,
	seenByPeople,
	submit,
	whilePublished,
	type AwkwardDays,
} from './setup.mts';

const NAME = 'nps-history';
const TABLE = 'Survey history';
const ADA = 'Ada@Days.example';

let id = '';

const monthly = async () => await host.n8n.run(id, { trigger: 'Every Month' });
const rows = async () => await recordsOf(host.n8n, TABLE);
const keys = async () => (await rows()).map(({ key }) => String(key));

/** Imports the example, with no feedback in both services. */
async function empty(): Promise<void> {
	sandbox.a.state.feedback.length = 0;
	sandbox.b.state.feedback.length = 0;
	id = await imported(NAME);
}

async function upload(csv: string, runs = 1) {
	const form = new FormData();
	form.append('field-0', new Blob([csv], { type: 'text/csv' }), 'old.csv');
	return await whilePublished(id, async () => await submit(id, 'Upload CSV', form), runs);
}

const answer = (score: number, comment = 'Yes') =>
	sandbox.b.answer({ email: ADA, campaignId: 101, score, comment });

/** One service refuses: the run fails, and the next one stores everything once. */
const refusedBy = (status: number) => async () => {
	await empty();
	answer(9);
	sandbox.a.faults.add({ path: /feedback/, kind: refusal(status), times: Infinity });
	expect(await monthly()).toMatchObject({ status: 'error' });
	sandbox.a.faults.clear();
	await monthly();
	expect(await rows()).toMatchObject([{ email: ADA, score: 9 }]);
};

/** "The NPS of all years and services": a row for each response. */
export const npsHistory: AwkwardDays = {
	name: NAME,
	days: {
		'an empty list': async () => {
			await empty();
			expect(await monthly()).toMatchObject({ status: 'success' });
			expect(await rows()).toEqual([]);
			await upload('email,score,date,campaign,comment\n', 2);
			expect(await seenByPeople(id)).toContain('Nothing is stored');
			const runs = await upload('email;score;date\na@days.example;9;2024-01-01\n', 3);
			expect(runs.at(-1)).toMatchObject({ status: 'error' });
			expect(await rows()).toEqual([]);
		},
		'one item': async () => {
			await empty();
			const feedback = answer(9);
			await monthly();
			feedback.campaign.name = 'Renamed';
			await monthly();
			expect(await rows()).toMatchObject([{ score: 9, campaign: 'Renamed' }]);
		},
		'500 items': async () => {
			await empty();
			sandbox.b.seedFeedback(500);
			await monthly();
			await monthly();
			expect(repeated(await keys())).toEqual([]);
			expect(await keys()).toHaveLength(500);
		},
		'quotes, newlines, emoji and HTML': async () => {
			await empty();
			answer(9, AWKWARD_TEXT).campaign.name = '<b>Yearly</b>';
			await monthly();
			expect(await rows()).toMatchObject([{ comment: AWKWARD_TEXT }]);
			expect(await seenByPeople(id)).not.toContain('<b>Yearly');
			// As Excel writes it, with a byte order mark.
			const cell = `"${AWKWARD_TEXT.replaceAll('"', '""')}"`;
			const head = '\uFEFFemail,score,date,campaign,comment\r\n';
			await upload(`${head}${ADA},9,2024-05-31,Yearly,${cell}\r\n${ADA},x,y,z,\r\n`, 2);
			expect((await rows()).at(-1)).toMatchObject({ email: ADA, comment: AWKWARD_TEXT });
			expect(await seenByPeople(id)).toContain('1 rows of the file are not stored');
		},
		'no email': async () => {
			await empty();
			await upload('email,score,date,campaign,comment\n,7,2024-06-01,,\n,7,2024-06-01,,\n');
			expect(await rows()).toMatchObject([{ email: '' }, { email: '' }]);
		},
		'an address in other case': 'It asks for no address, and stores it as it is',
		'two answers by one person in an hour': async () => {
			await empty();
			answer(2);
			await monthly();
			answer(10, 'Better');
			await monthly();
			expect(await rows()).toMatchObject([{ score: 10, comment: 'Better' }]);
		},
		'two starts within two seconds': async () => {
			await empty();
			sandbox.b.seedFeedback(120);
			await runTwice(id, 'Every Month');
			expect(repeated(await keys())).toEqual([]);
			expect(await keys()).toHaveLength(120);
		},
		'a restart in the middle': async () => {
			await empty();
			answer(9);
			const { arrived, release } = holdNext(sandbox.b.faults, { path: /feedback/ });
			await host.n8n.start(id, 'Every Month');
			await killDuring(arrived, release);
			await monthly();
			expect(await rows()).toMatchObject([{ score: 9 }]);
		},
		'a 401 in the middle': refusedBy(401),
		'a 403 in the middle': refusedBy(403),
		'a 429 in the middle': async () => {
			await empty();
			answer(9);
			sandbox.b.faults.add({ path: /feedback/, kind: refusal(429), times: 2 });
			expect(await monthly()).toMatchObject({ status: 'success' });
			expect(await rows()).toHaveLength(1);
		},
		'a 500 in the middle': refusedBy(500),
		'a change of clocks': 'Its months are those of UTC',
	},
};
