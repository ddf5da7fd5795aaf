import { Stage } from './stage';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(async () => await stage.close());

const EVENTS = ['feedback.removed', 'feedback.status_changed', 'tag.removed', 'tag.renamed', 'tag.merged'];

test('publishing makes one subscription an event, and a delivery starts a run', async () => {
	await stage.publish(stage.node({ events: EVENTS.slice(0, 2) }));
	expect(stage.service.state.hooks.map(({ event }) => event)).toEqual(EVENTS.slice(0, 2));
	console.log(JSON.stringify(stage.saved, null, 1));
	const [delivery] = await stage.service.deliver('feedback.removed', { id: 1, score: 3 });
	expect(delivery?.status).toBe(200);
	expect(stage.runs).toHaveLength(1);
	console.log(JSON.stringify(stage.runs, null, 1), JSON.stringify(stage.saved));
});
