import { setTimeout as sleep } from 'node:timers/promises';

import { readExample } from '../../support/examples.mts';
import { host, type WorkflowInput } from '../../support/n8n.mts';
import { hasPostgres, openDatabase } from './database.mts';
import { resultOf } from './disturbances.mts';
import { KILLED, type Effect } from './effects.mts';
import { createErased, ERASED, Play, tablesOf, type Story } from './play.mts';
import { MOMENTS, type Moment } from './world.mts';

/** A kill of n8n at a moment of an effect of an example. */
export interface Kill {
	story: Story;
	effect: Effect;
	moment: Moment;
}

/** What was wrong in the end. */
interface Outcome {
	/** Missing, and not named in a mail. */
	forgotten: string[];
	/** Came too often, without leave of the notes. */
	twice: string[];
	/** The runs that n8n shows as failed or crashed after the kill. */
	failed: number;
	/** The mails and failed runs of the refused account; undefined if none is refused. An error workflow hears of the latter. */
	told?: number;
}

/** Returns all kills, those of one example far from each other. */
export function allKills(): Kill[] {
	const most = Math.max(...KILLED.map(({ effects }) => effects.length * MOMENTS.length));
	return Array.from({ length: most }, (_, i) =>
		KILLED.flatMap(({ story, effects }) => {
			const effect = effects[Math.floor(i / MOMENTS.length)];
			const moment = MOMENTS[i % MOMENTS.length];
			const isMissing = story.database !== undefined && !hasPostgres;
			if (!effect || !moment || isMissing) return [];
			const { moments = MOMENTS } = effect;
			return moments.includes(moment) ? [{ story, effect, moment }] : [];
		}),
	).flat();
}

/** Packs kills into rounds: one n8n is killed at a moment of each example in a round. */
export function inRounds(kills: Kill[]): Kill[][] {
	const rounds: Kill[][] = [];
	for (const kill of kills) {
		const free = rounds.find((round) => !round.some((other) => disturb(kill, other)));
		if (free) free.push(kill);
		else rounds.push([kill]);
	}
	return rounds;
}

/** Two examples disturb each other if they are one, or have a data table in common. */
function disturb({ story: one }: Kill, { story: other }: Kill): boolean {
	const tables = ({ name, files = [name] }: Story) =>
		files.flatMap((file) => tablesOf(readExample(file))).filter((table) => table !== ERASED);
	return one.name === other.name || tables(one).some((table) => tables(other).includes(table));
}

export function titleOf({ story, effect: { node, skip }, moment }: Kill): string {
	return `${story.name} killed ${moment} ${node}${skip ? `, request ${skip + 1}` : ''}`;
}

/** Adds a node behind another one, which runs before all that follows and changes nothing. */
function gated(workflow: WorkflowInput, node: string, url: string): void {
	const { nodes, connections } = workflow;
	const outputs: unknown[][] = Object(connections[node]).main ?? [[]];
	nodes.push({
		name: 'Gate',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		// n8n runs the highest branch first.
		position: [0, -9000],
		parameters: { method: 'POST', url, options: {} },
	});
	const gate = { node: 'Gate', type: 'main', index: 0 };
	connections[node] = { main: outputs.map((output) => [gate, ...(output ?? [])]) };
}

/** An example in n8n, and its database. */
interface Example {
	play: Play;
	database?: Awaited<ReturnType<typeof openDatabase>>;
}

/** Imports an example, with a gate if n8n is killed after a node of a workflow. */
async function imported({ story, effect, moment }: Kill): Promise<Example> {
	const play = await Play.of(story);
	const database = story.database && (await openDatabase());
	await play.begin((workflow) => {
		story.change?.(workflow);
		database?.connect(workflow);
		const isHere = workflow.nodes.some(({ name }) => name === effect.node);
		if (isHere && moment === 'after' && effect.after === undefined) {
			gated(workflow, effect.node, play.world.gateUrl);
		}
	});
	return { play, database };
}

/** Lets an example run to the moment of the kill. */
async function run({ play }: Example, kill: Kill): Promise<void> {
	const { story, effect, moment } = kill;
	await play.publish();
	await story.database?.begin(play);
	await play.settle();
	effect.needs?.(play);
	const arrived = play.world.holdAt(effect, moment);
	await story.happens(play);
	const late = sleep(120_000, undefined, { ref: false }).then(() => {
		throw new Error(`${titleOf(kill)}: the run never came there`);
	});
	await Promise.race([arrived, late]);
}

/** Clicks Retry, lets it happen again and lets hours pass. */
async function afterwards({ play, database }: Example, { effect, moment }: Kill): Promise<Outcome> {
	const { story, world } = play;
	await play.settle();
	if (database) await story.database?.minuteLater(database.postgres);
	const failed = await play.retryAll();
	await play.settle();
	await story.happens(play);
	await play.settle();
	for (const hours of [1, 12, 25]) await play.hoursLater(hours);
	let told: number | undefined;
	if (effect.needs) {
		const failures = (await play.runs()).filter(({ status }) => status === 'error');
		told = play.mails().length + failures.length;
		world.mend();
		for (const hours of [1, 25]) await play.hoursLater(hours);
	}
	const underWay = moment === 'before' ? [] : (effect.mayComeTwice ?? []);
	const allowed = [...underWay, ...(effect.comesAgain ?? [])];
	const { never, twice } = await resultOf(play);
	const text = play.mails().join('\n');
	return {
		forgotten: never.filter((one) => !text.includes(one.split(' ').at(-1) ?? one)),
		twice: twice.filter((one) => !allowed.includes(one)),
		failed,
		told,
	};
}

/** Kills n8n when each example of a round has come to its moment, and starts it again. */
export async function outcomesOf(round: Kill[]): Promise<Map<Kill, Outcome | Error>> {
	const examples = new Map<Kill, Example>();
	for (const kill of round) examples.set(kill, await imported(kill));
	// Two runs that create the same table at the same moment would disturb each other.
	await host.n8n.deleteDataTables([ERASED]);
	await createErased();
	const forEach = async <Result,>(work: (example: Example, kill: Kill) => Promise<Result>) =>
		await Promise.all(
			[...examples].map(
				async ([kill, example]) => [kill, await work(example, kill).catch(asError)] as const,
			),
		);
	const late = new Map(await forEach(run));
	// A request that was carried out gives no other sign.
	await sleep(200);
	await host.n8n.process.kill();
	await host.n8n.restart();
	const outcomes = await forEach(
		async (example, kill) => late.get(kill) ?? (await afterwards(example, kill)),
	);
	for (const { play, database } of examples.values()) {
		await play.end();
		await play.world.close();
		await database?.close();
	}
	return new Map(outcomes);
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
