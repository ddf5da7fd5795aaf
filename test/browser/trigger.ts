import { host, sandbox } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { executeButton, openNode, openWorkflow, outputPanel, page } from './editor';

/** The trigger as somebody builds with it. */
export function triggerTests(): void {
	const workflow = () => ({
		name: 'Feedback comes in',
		nodes: [
			{
				name: 'Tested',
				type: 'n8n-nodes-surveys.surveyBTrigger',
				typeVersion: 1.1,
				webhookId: 'a1b2c3d4-0000-4000-8000-000000000001',
				parameters: { events: ['feedback.added_or_changed'], filters: { campaignIds: [] } },
				credentials: { surveyBApi: host.credentials.surveyBApi },
			},
		],
		connections: {},
	});

	test('the newest feedback response arrives within 5 seconds of listening', async () => {
		sandbox.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 3, comment: 'Slow' });
		await openWorkflow(workflow());
		await openNode('Tested');
		const begun = performance.now();
		await executeButton().click();
		await outputPanel().getByText('ada@acme.example').first().waitFor();
		expect(performance.now() - begun).toBeLessThan(5000);
		await keepPicture(page, 'trigger-sample');
	});
}
