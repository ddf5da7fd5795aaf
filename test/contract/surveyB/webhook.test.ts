import { events } from '../../../nodes/SurveyB/parameters/fields';
import { EVENTS } from '../../../sandbox';
import { useBench } from './bench';

const bench = useBench();

const HOOK = { event: 'feedback.removed', target: 'https://example.com/hook' };

test('Create requests the path without a trailing slash and returns the webhook', async () => {
	const item = await bench.one('webhook.create', HOOK);
	bench.expectSent('POST /api/v2/hooks', HOOK);
	expect(item).toEqual({ id: expect.any(Number), ...HOOK });
});

test('Create offers the nine events of the contract', () => {
	expect(events.map(({ value }) => value)).toEqual([...EVENTS].sort());
});

test('Delete requests the assumed path and returns the ID', async () => {
	bench.service.state.hooks.push({ id: 901, ...HOOK });
	const item = await bench.one('webhook.delete', { webhookId: 901 });
	bench.expectSent('DELETE /api/v2/hooks/901');
	expect(item).toEqual({ id: 901, deleted: true });
});

test('Delete fails if the service does not offer it', async () => {
	bench.service.settings.hookDeletion = 405;
	const errorText = await bench.failure('webhook.delete', { webhookId: '901' });
	expect(errorText).toContain('Method Not Allowed (HTTP 405)');
	expect(errorText).toContain('may not support this operation');
});
