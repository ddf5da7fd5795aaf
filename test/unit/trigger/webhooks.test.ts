import { WebhookContext } from 'n8n-core';
import { sleep } from 'n8n-workflow';

import { startRun } from '../../../nodes/shared/webhooks/receive';
import { tokenIn, withoutToken } from '../../../nodes/shared/webhooks/token';

test('a target keeps its other query parameters without its token', () => {
	const address = 'https://n8n.example.com/webhook/x/survey-b?a=1';
	expect(withoutToken(`${address}&token=b`)).toBe(address);
});

test.each([
	['no URL', 'no URL'],
	['', ''],
	['/webhook?token=a', '/webhook'],
])('reads no token from the target %j', (target, address) => {
	expect(tokenIn(target)).toBeNull();
	expect(withoutToken(target)).toBe(address);
});

/** A delivery whose sender hung up before it was handled. */
const hungUp: WebhookContext = Object.create(WebhookContext.prototype, {
	getResponseObject: { value: () => ({ closed: true, writableEnded: true }) },
});

test('a run that n8n could not store is reported although the sender had hung up before it began', async () => {
	const isStored = new Promise((resolve) => startRun(hungUp, [], resolve));
	expect(await isStored).toBe(false);
});

test('a run that n8n has stored is reported once', async () => {
	const onEnd = jest.fn();
	expect(startRun(hungUp, [], onEnd).webhookResponse).toBeDefined();
	await sleep(0);
	expect(onEnd.mock.calls).toEqual([[true]]);
});
