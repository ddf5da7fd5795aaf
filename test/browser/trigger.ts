import type { Locator } from 'playwright-core';

import { host, sandbox } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { openNode, openWorkflow, outputPanel, page } from './editor';
import { Person } from './person';

/** Survey B Trigger while a workflow is built. */
export function triggerTests(): void {
	const workflow = (parameters: object = {}) => ({
		name: 'Feedback comes in',
		nodes: [
			{
				name: 'Tested',
				type: 'n8n-nodes-surveys.surveyBTrigger',
				typeVersion: 1.1,
				webhookId: 'a1b2c3d4-0000-4000-8000-000000000001',
				parameters: {
					events: ['feedback.added_or_changed'],
					filters: { campaignIds: [] },
					...parameters,
				},
				credentials: { surveyBApi: host.credentials.surveyBApi },
			},
		],
		connections: {},
	});

	test('Route By Score Type has the outputs Detractor, Passive, Promoter and Other, none cut off', async () => {
		await openWorkflow(workflow({ routeBy: 'scoreType' }));
		const labels = page.locator('[class*=outputLabel]');
		await labels.nth(3).waitFor();
		expect(await labels.allInnerTexts()).toEqual(['Detractor', 'Passive', 'Promoter', 'Other']);
		const isCut = async (label: Locator) =>
			await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
		expect(await Promise.all((await labels.all()).map(isCut))).not.toContain(true);
	});

	test('Execute step outputs the newest feedback response, a passive, on the Passive branch without a delivery, and the empty branch says where to look', async () => {
		sandbox.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 8, comment: 'Fine' });
		await openWorkflow(workflow({ routeBy: 'scoreType' }));
		await openNode('Tested');
		await new Person().executes();
		await outputPanel().getByText('Passive Branch (1 item)').waitFor();
		const hint = await page.getByTestId('run-data-hints').innerText();
		expect(hint).toContain('on the branch of its score type');
		await outputPanel().getByText('Passive Branch (1 item)').click();
		await outputPanel().getByText('ada@acme.example').first().waitFor();
		expect(sandbox.b.deliveries).toEqual([]);
		await keepPicture(page, 'trigger-branches');
	});
}
