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

/** A delivery whose sender hung up before it was handled, and to which n8n responds. */
const hungUp = (statusCode: number): WebhookContext =>
	Object.create(WebhookContext.prototype, {
		getResponseObject: { value: () => ({ closed: true, writableEnded: true, statusCode }) },
	});

test.each([
	[200, true],
	[428, false],
	[500, false],
])(
	'n8n responds with %i to a delivery whose sender hung up before: the run is stored: %s',
	async (status, isStored) => {
		const onEnd = jest.fn();
		startRun(hungUp(status), [], onEnd);
		await sleep(0);
		expect(onEnd.mock.calls).toEqual([[isStored]]);
	},
);
