import { WebhookContext } from 'n8n-core';

import { untilStored } from '../../../nodes/shared/webhooks/receive';
import { tokenIn, withoutToken } from '../../../nodes/shared/webhooks/token';

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
		expect(await untilStored(hungUp(status))).toBe(isStored);
	},
);
