// `npm run scale`: runs n8n in queue mode on this machine, with PostgreSQL, Redis, a main process, two webhook processors,
// two workers, a proxy and both services. It kills one part after the other during deliveries and bulk sends, retries what
// failed, and writes the results to docs/evidence/scale.md.
// Run: `npm run scale [-- --changes 5000 --sends 20 --rows 1000]`; the counts are totals of all faults.
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { programs } from '../host/queue/programs.mts';
import { publishSends } from '../test/support/queue/bulkSends.mts';
import {
	FAULTS,
	strike,
	type Counts,
	type Fault,
	type Outcome,
} from '../test/support/queue/faults.mts';
import { deliverTwice, publishClaim, WAYS, type Twice } from '../test/support/queue/sameMoment.mts';
import { QueueSetup } from '../test/support/queue/queueSetup.mts';
import { builtPackage } from './build.mts';
import { versions } from './compat/versions.mts';
import { replaceBetween, table } from './page.mts';
import { atEnd, ROOT, runMain, say } from './processes.mts';

const DOC = join(ROOT, 'docs/evidence/scale.md');
const STRUCK = [FAULTS.worker, FAULTS.webhook, FAULTS.redis, FAULTS.postgres];
const FEW = { changes: 25, sends: 2, rows: 1000 };
const { values } = parseArgs({
	options: {
		changes: { type: 'string', default: '5000' },
		sends: { type: 'string', default: '20' },
		rows: { type: 'string', default: '1000' },
		twice: { type: 'string', default: '50' },
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
		console.error(`n8n's queue mode cannot run here: ${found.missing}.`);
		return 1;
	}
	process.env.SURVEYS_TARBALL = await builtPackage();
	say('Starting PostgreSQL, Redis, five processes of n8n and a proxy …');
	const setup = await QueueSetup.open(found);
	atEnd(async () => await setup.close());
	keep('place', placeText(versions().at(-1)?.n8n ?? '', cpus()));
	const wrong = [...(await sameMoment(setup)), ...(await faults(setup))];
	for (const line of wrong) console.error(`✗ ${line}`);
	say(`Written to ${DOC}`);
	return wrong.length === 0 ? 0 : 1;
}

/** Sends the same delivery to one and to both webhook processors at the same moment. */
async function sameMoment(setup: QueueSetup): Promise<string[]> {
	const twice = Number(values.twice);
	const claimed = await deliverTwice(setup, 'Claimed in PostgreSQL', WAYS.claim, twice);
	const ways = [
		await deliverTwice(setup, 'The action right behind the trigger', WAYS.bare, twice),
		await deliverTwice(setup, 'Remove Duplicates', WAYS.removeDuplicates, twice),
		claimed,
	];
	log('Delivered twice at the same moment', ways);
	keep('same moment', twiceTable(ways));
	return claimed.toOne + claimed.toBoth > 0 ? ['A claimed change ran twice'] : [];
}

/** Makes one part after the other fail during deliveries and bulk sends. */
async function faults(setup: QueueSetup): Promise<string[]> {
	const work = { deliveries: await publishClaim(setup), sends: await publishSends(setup) };
	const outcomes: Outcome[] = [];
	const next = async (fault: Fault, these: Counts) => {
		outcomes.push(await strike(setup, work, fault, these));
		log(fault.name, outcomes.at(-1));
		keep('deliveries', deliveryTable(outcomes));
		keep('sends', sendTable(outcomes));
	};
	for (const fault of STRUCK) await next(fault, counts);
	await next(FAULTS.emptyRedis, FEW);
	const { hooks } = setup.sandbox.b.state;
	const before = hooks.map(({ id }) => id);
	await next(FAULTS.main, FEW);
	const after = hooks.map(({ id }) => id);
	const same = before.join() === after.join();
	return [
		...outcomes.flatMap(problems),
		...(same ? [] : ['A restart of the main process changed the registration']),
	];
}

function log(what: string, shown: unknown) {
	say(`${new Date().toISOString().slice(11, 19)} ${what}: ${JSON.stringify(shown)}`);
}

function keep(name: string, text: string) {
	replaceBetween(DOC, [`<!-- run: ${name} -->`, '<!-- end of run -->'], () => text);
}

/** Returns what must not happen. */
function problems({ fault, deliveries, retried, sends, retriedSends, stuck }: Outcome): string[] {
	return [
		...(retried.lost > 0 || retriedSends.lost > 0 ? [`${fault}: lost`] : []),
		...(retried.double > 0 || retriedSends.double > 0 ? [`${fault}: done twice`] : []),
		...(retried.ran < deliveries.answered ? [`${fault}: not run after the retry`] : []),
		...(retriedSends.ran < sends.rows ? [`${fault}: not surveyed after the retry`] : []),
		...(stuck > 0 ? [`${fault}: ${stuck} executions never ended`] : []),
	];
}

const thousands = (count: number) => Math.round(count).toLocaleString('en-US');

const lastColumns = (done: string) => [`${done} after the retry`, 'Twice or lost'];

function deliveryTable(outcomes: Outcome[]): string {
	return table(
		['Fault', 'Deliveries', 'Got a 200', 'Sent again', 'Ran', 'Failed', ...lastColumns('Ran')],
		outcomes.map(({ fault, deliveries: now, retried: then }) => [
			fault,
			thousands(now.sent),
			thousands(now.answered),
			now.again,
			thousands(now.ran),
			now.failed,
			thousands(then.ran),
			now.double + now.lost + then.double + then.lost,
		]),
	);
}

function sendTable(outcomes: Outcome[]): string {
	const head = ['Fault', 'Rows', 'Got a 200', 'Surveyed', 'Interrupted', 'Failed runs'];
	return table(
		[...head, ...lastColumns('Surveyed')],
		outcomes.map(({ fault, sends: now, retriedSends: then }) => [
			fault,
			`${now.sends} × ${thousands(now.rows / now.sends)}`,
			now.answered,
			thousands(now.ran),
			thousands(now.cutOff),
			now.failed,
			thousands(then.ran),
			now.double + now.lost + then.double + then.lost,
		]),
	);
}

function twiceTable(ways: Twice[]): string {
	return table(
		['Workflow', 'Changes', 'Ran twice: both to one processor', 'Ran twice: one to each processor'],
		ways.map(({ name, changes, toOne, toBoth }) => [name, changes, toOne, toBoth]),
	);
}

function placeText(version: string, cores: Array<{ model: string }>): string {
	const day = new Date().toISOString().slice(0, 10);
	const kind = cores[0]?.model.trim() ?? 'unknown';
	return `Run on ${day} with n8n ${version}, everything on one machine with ${cores.length} cores (${kind}).`;
}

await runMain(main);
