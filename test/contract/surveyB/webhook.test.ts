import { events } from '../../../nodes/SurveyB/parameters/fields';
import { EVENTS } from '../../../sandbox';
import { useBench } from './bench';

const bench = useBench();

const HOOK = { event: 'feedback.removed', target: 'https://example.com/hook' };

test('create: the path without a slash at its end, and its output', async () => {
	const item = await bench().one('webhook.create', HOOK);
	expect(bench().sent()).toEqual([{ line: 'POST /api/v2/hooks', body: HOOK }]);
	expect(item).toEqual({ id: expect.any(Number), ...HOOK });
});

test('create: offers the nine events of the contract', () => {
	expect(events.map(({ value }) => value)).toEqual([...EVENTS].sort());
});

test('create: a lost answer does not register it twice', async () => {
	bench().service.faults.add({ kind: 'reset-after' });
	expect(await bench().failure('webhook.create', HOOK)).toContain('may have been processed');
	expect(bench().service.state.hooks).toHaveLength(1);
});

test('delete: the request to the letter, and its output', async () => {
	bench().service.state.hooks.push({ id: 901, ...HOOK });
	const item = await bench().one('webhook.delete', { webhookId: 901 });
	expect(bench().sent()).toEqual([{ line: 'DELETE /api/v2/hooks/901' }]);
	expect(item).toEqual({ webhookId: '901', deleted: true });
});

test('delete: a service that does not offer it is told', async () => {
	bench().service.settings.hookDeletion = 405;
	const errorText = await bench().failure('webhook.delete', { webhookId: '901' });
	expect(errorText).toContain('Method Not Allowed (HTTP 405)');
	expect(errorText).toContain('may not support this operation');
});
