import { until } from '../../host/until.mts';
import { host, sandbox } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { choices, executeButton, field, openNode, openWorkflow, outputPanel, page } from './editor';

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

	test('its campaign filter offers the campaigns by name', async () => {
		await openWorkflow(workflow());
		await openNode('Tested');
		const campaign = choices().filter({ hasText: 'Relationship' }).first();
		// A click opens nothing while the campaigns are being fetched.
		await until(
			async () => {
				await field('campaignIds').click();
				await page.waitForTimeout(1000);
				return await campaign.isVisible();
			},
			Boolean,
			20_000,
		);
		expect(await choices().allInnerTexts()).toEqual(
			expect.arrayContaining(['After support ticket', 'Relationship']),
		);
		await keepPicture(page, 'trigger-campaigns');
	});
}
