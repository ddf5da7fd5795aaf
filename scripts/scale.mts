// n8n in queue mode under faults: PostgreSQL, Redis, a main process, two webhook processors, two workers and a
// proxy on this machine, both services, and in the middle of deliveries and bulk sends one part after the other
// is killed. What became of the work is written to docs/scale.md.
// Run: `npm run scale [-- --changes 5000 --sends 20 --rows 1000]`; the counts are those of all faults together.
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { programs } from '../host/queue/programs.mts';
import { publishSends } from '../test/support/queue/bulkSends.mts';
import { FAULTS, strike, type Outcome } from '../test/support/queue/faults.mts';
import { measure, type Figures } from '../test/support/queue/figures.mts';
import { rateOf, type Rate } from '../test/support/queue/rate.mts';
import * as report from '../test/support/queue/report.mts';
import { deliverTwice, publishClaim, WAYS, type Twice } from '../test/support/queue/sameMoment.mts';
import { QueueStage } from '../test/support/queue/stage.mts';
import { builtPackage } from './build.mts';
import { atEnd, ROOT, runMain, say } from './processes.mts';

/** What a run has shown. */
interface Shown {
	figures: Figures;
	ways: Twice[];
	outcomes: Outcome[];
	rates: Rate[];
	/** The subscriptions at Survey B before and after the main process was restarted. */
	hooks: number[];
	/** What n8n says to a second main process. */
	secondMain: string;
}

const DOC = join(ROOT, 'docs/scale.md');
const STRUCK = [FAULTS.worker, FAULTS.webhook, FAULTS.redis, FAULTS.postgres];
const FEW = { changes: 200, sends: 2, rows: 100 };
const RATES = [
	{ set: 600, limit: 0, rows: 400 },
	{ set: 300, limit: 0, rows: 400 },
	{ set: 0, limit: 600, rows: 400 },
];

const { values } = parseArgs({
	options: {
		changes: { type: 'string', default: '5000' },
		sends: { type: 'string', default: '20' },
		rows: { type: 'string', default: '1000' },
		twice: { type: 'string', default: '50' },
		measured: { type: 'string', default: '500' },
	},
});
const counts = {
	changes: Math.ceil(Number(values.changes) / STRUCK.length),
	sends: Math.ceil(Number(values.sends) / STRUCK.length),
	rows: Number(values.rows),
};

async function main(): Promise<number> {
	const found = programs(say);
	if ('missing' in found) {
		console.error(`n8n's queue mode cannot be shown here: ${found.missing}.`);
		return 1;
	}
	process.env.SURVEYS_TARBALL = await builtPackage();
	say('Starting PostgreSQL, Redis, five processes of n8n and a proxy …');
	const stage = await QueueStage.open(found);
	atEnd(async () => await stage.close());
	const shown = await show(stage);
	write(shown, await stage.n8n.version());
	const wrong = problems(shown);
	for (const line of wrong) console.error(`✗ ${line}`);
	say(`Written to ${DOC}`);
	return wrong.length === 0 ? 0 : 1;
}

async function show(stage: QueueStage): Promise<Shown> {
	const sends = await publishSends(stage);
	const bare = await WAYS.bare(stage);
	const figures = await measure(
		stage,
		{ deliveries: bare, sends },
		{ ...counts, changes: Number(values.measured), sends: 2 },
	);
	tell('With nothing going wrong', figures);
	await stage.n8n.deactivate(bare);

	const twice = Number(values.twice);
	const ways = [
		await deliverTwice(stage, 'The action right behind the trigger', WAYS.bare, twice),
		await deliverTwice(stage, 'Remove Duplicates by `deliveryId`', WAYS.removeDuplicates, twice),
		await deliverTwice(stage, 'Claimed in PostgreSQL by `deliveryId`', WAYS.claim, twice),
	];
	tell('Delivered twice at the same moment', ways);

	const work = { deliveries: await publishClaim(stage), sends };
	const outcomes: Outcome[] = [];
	for (const fault of STRUCK) {
		outcomes.push(await strike(stage, work, fault, counts));
		tell(fault.name, outcomes.at(-1));
	}
	const { hooks } = stage.sandbox.b.state;
	const before = hooks.length;
	for (const fault of [FAULTS.emptyRedis, FAULTS.main]) {
		outcomes.push(await strike(stage, work, fault, FEW));
		tell(fault.name, outcomes.at(-1));
	}

	const rates: Rate[] = [];
	for (const rate of RATES) rates.push(await rateOf(stage, sends.b, rate));
	tell('Pace', rates);
	const secondMain = await stage.n8n.secondMain();
	tell('A second main process', secondMain);
	return { figures, ways, outcomes, rates, hooks: [before, hooks.length], secondMain };
}

function tell(what: string, shown: unknown) {
	say(`${new Date().toISOString().slice(11, 19)} ${what}: ${JSON.stringify(shown)}`);
}

function write({ figures, ways, outcomes, rates, hooks, secondMain }: Shown, version: string) {
	const texts = {
		place: report.placeText(version, cpus()),
		deliveries: report.deliveryTable(outcomes),
		sends: report.sendTable(outcomes),
		'same moment': report.twiceTable(ways),
		registration: report.registrationText(hooks, secondMain),
		rate: report.rateTable(rates),
		processes: report.figureTable(figures),
		figures: report.paperText(figures),
	};
	for (const [name, text] of Object.entries(texts)) report.writeBetween(DOC, name, text);
}

/** What must not be, in words. */
function problems({ outcomes, ways, hooks }: Shown): string[] {
	const wrong = outcomes.flatMap(({ fault, deliveries, retried, sends, resent, stuck }) => [
		...(retried.lost > 0 || sends.lost > 0 ? [`${fault}: lost`] : []),
		...(retried.double > 0 || resent.double > 0 ? [`${fault}: done twice`] : []),
		...(retried.ran < deliveries.answered ? [`${fault}: not run after the retry`] : []),
		...(resent.ran < sends.rows ? [`${fault}: not surveyed after the rest was sent`] : []),
		...(stuck > 0 ? [`${fault}: ${stuck} executions never ended`] : []),
	]);
	const claimed = ways.at(-1);
	if (claimed && claimed.toOne + claimed.toBoth > 0) wrong.push('A claimed change ran twice');
	if (hooks[0] !== hooks[1]) wrong.push('A restart of the main process changed the registration');
	return wrong;
}

await runMain(main);
