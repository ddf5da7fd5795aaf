import type { Postgres } from '../../../host/queue/postgres.mts';
import { host } from '../../support/n8n.mts';
import { onDatabase } from './database.mts';
import { BY_ID, MOMENTS_ONLY, NO_TABLE, ONE_DELIVERY, type AwkwardDays } from './days.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const TAG = { path: /tag\/$/ };
const tags = ({ world }: Play) =>
	(world.sandbox.b.state.feedback.at(-1)?.tags ?? []).map((tag) => tag.name);
const done = async (server: Postgres) =>
	await server.rows('SELECT done_at IS NOT NULL FROM survey_changes');

/** Lets an answer come in, delivered so many times at once, like to processes of n8n that know nothing of each other. */
async function changed(play: Play, deliveries = 1): Promise<void> {
	const [id = ''] = play.ids;
	const workflow = await host.n8n.workflow(id);
	for (const { type, parameters } of workflow.nodes) {
		if (!type.endsWith('surveyBTrigger')) continue;
		Object.assign(parameters ?? {}, { options: { ignoreRepeats: false } });
	}
	await host.n8n.updateWorkflow(id, workflow);
	await play.publish();
	await play.start('Run Once');
	await play.settle();
	const { b } = play.world.sandbox;
	b.settings.deliveryRepeats = deliveries;
	b.answer({ email: 'ada@days.example', campaignId: 101, score: 5 });
	await play.settle();
	b.settings.deliveryRepeats = 1;
}

const refusedBy = (status: number) =>
	onDatabase(async (play, server) => {
		play.world.sandbox.b.faults.add({ ...TAG, kind: refusal(status), times: Infinity });
		await changed(play);
		play.world.mend();
		expect(await play.seen()).not.toBe('');
		expect([tags(play), await done(server)]).toEqual([[], [['f']]]);
		await play.retryAll();
		await play.settle();
		expect([tags(play), await done(server)]).toEqual([['Seen by n8n'], [['t']]]);
	});

/** "Each change in Survey B runs once, in queue mode, too", and one that failed can be retried. */
export const oneRunPerChange: AwkwardDays = {
	story: stories.oneRunPerChange,
	days: {
		'an empty list': ONE_DELIVERY,
		'one item': onDatabase(async (play, server) => {
			await changed(play);
			expect([tags(play), await done(server)]).toEqual([['Seen by n8n'], [['t']]]);
			// A month later the change is forgotten.
			await server.rows("UPDATE survey_changes SET claimed_at = now() - interval '31 days'");
			await play.start('Every Night');
			await play.settle();
			expect(await done(server)).toEqual([]);
		}),
		'many items': ONE_DELIVERY,
		'quotes, newlines, emoji and HTML': 'It reads no text',
		'no email': BY_ID,
		'an address in other case': BY_ID,
		'two answers by one person in an hour': 'Each answer is a change of its own',
		'two starts within two seconds': onDatabase(async (play, server) => {
			await changed(play, 5);
			const runs = (await play.runs()).filter(({ nodes }) => 'Feedback Comes In' in nodes);
			expect(runs).toHaveLength(5);
			expect(runs.filter(({ nodes }) => 'Tag Feedback' in nodes)).toHaveLength(1);
			expect([tags(play), await done(server)]).toEqual([['Seen by n8n'], [['t']]]);
		}),
		'a fault of the service': refusedBy(500),
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': refusedBy(401),
		'an erased person': BY_ID,
		'a hand in the table': NO_TABLE,
		'a mass update': ONE_DELIVERY,
		'a second import': onDatabase(async (play, server) => {
			// Both copies know the database, and one of them takes the change.
			const [first = ''] = play.ids;
			const { nodes, connections, name, settings } = await host.n8n.workflow(first);
			const copies = nodes.map(({ webhookId: _, ...node }) => {
				if (!node.type.endsWith('.webhook')) return node;
				return { ...node, parameters: { ...node.parameters, path: `again-${node.name}` } };
			});
			const copy = await host.n8n.createWorkflow({ name, connections, settings, nodes: copies });
			play.ids.push(copy);
			await changed(play);
			const runs = (await play.runs()).filter(({ nodes: ran }) => 'Tag Feedback' in ran);
			expect(runs).toHaveLength(1);
			expect([tags(play), await done(server)]).toEqual([['Seen by n8n'], [['t']]]);
		}),
	},
};
