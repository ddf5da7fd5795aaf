import { sleep } from 'n8n-workflow';

import { EVENTS } from '../../../sandbox';
import type { FaultKind } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { FIVE, deliverChange, n8n, useEmulatedN8n } from './emulatedN8n';

useEmulatedN8n();

/** Returns the webhooks that the static data lists, by ID. */
function remembered(): Record<string, string> {
	const webhooks: Array<{ id: string; isLive: boolean; stays: boolean }> = Object(
		n8n.saved.global,
	).surveyBTrigger;
	const stateOf = ({ isLive, stays }: { isLive: boolean; stays: boolean }) =>
		isLive ? 'live' : stays ? 'stays' : 'toRemove';
	return Object.fromEntries(webhooks.map((one) => [one.id, stateOf(one)]));
}

const POSTS = { method: 'POST', path: /hooks$/ };
/** Longer than n8n and the trigger leave to the background. */
const LATER = 60_000;
const node = (...events: string[]) => n8n.node({ events });

test('a failed publish removes the webhooks that it created, and the error says why', async () => {
	const body = { target: ['Enter a valid URL.'] };
	const when = (request: { body?: unknown }) => Object(request.body).event === 'tag.merged';
	n8n.service.faults.add({ ...POSTS, when, kind: { status: 400, body } });
	await onItsOwnClock(async () => {
		await expect(n8n.publish(node(...FIVE))).rejects.toThrow(
			"Could not subscribe to 'tag.merged': 'Target': Enter a valid URL (HTTP 400). Enter another URL; that of the trigger comes from N8N_WEBHOOK_URL",
		);
		await sleep(LATER);
		expect(n8n.hooks).toEqual({});
		expect(n8n.warnings).toEqual([]);

		await n8n.unpublish();
		await n8n.publish(node(...FIVE));
		expect(Object.values(n8n.hooks).sort()).toEqual([...FIVE].sort());
	});
});

test.each([404, 405] as const)(
	'where the service does not remove webhooks (%i), neither a publish nor a test adds one for an event that has one, and the log names those that stay',
	async (hookDeletion) => {
		n8n.service.settings.hookDeletion = hookDeletion;
		n8n.service.state.feedback.length = 0;
		await onItsOwnClock(async () => {
			await n8n.publish(node(...FIVE.slice(0, 3)));
			const { hooks } = n8n;
			for (let round = 0; round < 3; round++) {
				await n8n.unpublish();
				await sleep(LATER);
				await n8n.publish(node(...FIVE.slice(round, 3)));
				await n8n.publish(node(...FIVE.slice(0, 3)));
				await sleep(LATER);
			}
			expect(n8n.hooks).toEqual(hooks);
			for (let round = 0; round < 3; round++) {
				await n8n.listen(node('tag.renamed'));
				await n8n.stopListening();
				await sleep(LATER);
			}
			expect(Object.values(n8n.hooks)).toEqual([...Object.values(hooks), 'tag.renamed']);
			await n8n.unpublish();
			await sleep(LATER);
			for (const id of Object.keys(hooks)) {
				expect(n8n.warnings.join()).toMatch(new RegExp(`Webhook ${id} \\(.* stays`));
			}
		});
	},
);

test('a publish that keeps failing leaves no more webhooks with each try, where the service does not remove them', async () => {
	await onItsOwnClock(async () => {
		n8n.service.settings.hookDeletion = 404;
		const kind = { status: 403, body: { detail: 'Forbidden' } };
		const when = ({ body }: { body?: unknown }) => Object(body).event === FIVE[2];
		n8n.service.faults.add({ ...POSTS, when, kind, times: 2 });
		for (let round = 0; round < 2; round++) {
			await expect(n8n.publish(node(...FIVE))).rejects.toThrow('HTTP 403');
			await sleep(LATER);
			expect(Object.keys(n8n.hooks)).toHaveLength(4);
		}
		for (const id of Object.keys(n8n.hooks)) expect(n8n.warnings.join()).toContain(`${id} (`);
		await n8n.publish(node(...FIVE));
		expect(await deliverChange(FIVE[2])).toEqual([200]);
	});
});

test.each([
	['is gone, and is not logged', 410, 'Gone', undefined, 'nothing'],
	['may exist: a response with 200 has an error', 200, 'Not found.', /did not confirm/, 'toRemove'],
	[
		'may exist: the request was refused',
		403,
		'No',
		/\(HTTP 403\)\. Publishing this node/,
		'toRemove',
	],
	['stays', 405, 'No', /stays in Survey B/, 'stays'],
])('a webhook that is to be removed %s (%i)', async (_, status, detail, warning, left) => {
	await onItsOwnClock(async () => {
		await n8n.publish(node('feedback.removed', 'tag.merged'));
		const [first = '', second = ''] = Object.keys(n8n.hooks);
		const which = { method: 'DELETE', path: new RegExp(`${first}$`) };
		n8n.service.faults.add({ ...which, kind: { status, body: { detail } }, times: Infinity });
		await n8n.publish(node('tag.merged'));
		expect(n8n.warnings).toEqual(warning ? [expect.stringMatching(warning)] : []);
		expect(remembered()).toEqual(
			left === 'nothing' ? { [second]: 'live' } : { [first]: left, [second]: 'live' },
		);
	});
});

test.each<[string, FaultKind]>([
	['the response was lost', 'reset-after'],
	['the service says that it is gone', { status: 410, body: { detail: 'Gone' } }],
	['the service asked for a pause', { status: 429, headers: { 'retry-after': '2' } }],
])('the first webhook is created again if, when it was removed, %s', async (_, kind) => {
	n8n.service.faults.add({ method: 'DELETE', kind });
	await onItsOwnClock(async () => {
		await n8n.publish(node('feedback.removed'));
		expect(n8n.service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
		expect(Object.values(n8n.hooks)).toEqual(['feedback.removed']);
		expect(await deliverChange()).toEqual([200]);
		expect(n8n.warnings).toEqual([]);
	});
});

test('where webhooks cannot be removed, publishing uses the newest webhook of an event, since an older one may be gone', async () => {
	n8n.service.settings.hookDeletion = 405;
	n8n.service.faults.add({ method: 'DELETE', kind: { status: 503 }, times: 2 });
	await onItsOwnClock(async () => {
		await n8n.publish(node('feedback.removed'));
		const [older = '', newer = ''] = Object.keys(n8n.hooks);
		await n8n.unpublish();
		await sleep(LATER);
		await n8n.publish(node('feedback.removed'));
		expect(remembered()).toEqual({ [older]: 'stays', [newer]: 'live' });
	});
});

test('a removal for which the service asks for a pause does not delay a publish, and goes on after it', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(node('feedback.removed', 'tag.merged'));
		const headers = { 'retry-after': '30' };
		n8n.service.faults.add({ method: 'DELETE', kind: { status: 429, headers } });
		const begun = Date.now();
		await n8n.publish(node('tag.merged'));
		expect(Date.now() - begun).toBeLessThan(4000);
		expect(Object.values(n8n.hooks)).toEqual(['feedback.removed', 'tag.merged']);
		await sleep(LATER);
		expect(Object.values(n8n.hooks)).toEqual(['tag.merged']);
	});
});

test.each([301, 400, 403] as const)(
	'where a webhook that was just created cannot be removed (%i), publishing again uses it again',
	async (status) => {
		n8n.service.faults.add({ method: 'DELETE', kind: { status, body: {} }, times: Infinity });
		await onItsOwnClock(async () => {
			for (let round = 0; round < 3; round++) {
				await n8n.publish(node(...FIVE));
				await n8n.unpublish();
				await sleep(LATER);
			}
			expect(Object.values(n8n.hooks).sort()).toEqual([...FIVE].sort());
		});
	},
);

test('at most 100 webhooks are remembered', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(node(...EVENTS));
		n8n.service.faults.add({ method: 'DELETE', kind: { status: 403 }, times: Infinity });
		for (let round = 0; round < 12; round++) {
			await n8n.unpublish();
			await sleep(LATER);
			await n8n.publish(node(...EVENTS));
		}
		expect(Object.keys(n8n.hooks)).toHaveLength(13 * EVENTS.length);
		expect(Object.keys(remembered())).toEqual(Object.keys(n8n.hooks).slice(-100));
	});
});

test('the log quotes why a webhook may still exist as a sentence', async () => {
	const body = { detail: 'You cannot delete this webhook.' };
	n8n.service.faults.add({ method: 'DELETE', kind: { status: 200, body }, times: Infinity });
	await n8n.publish(node('tag.merged'));
	expect(n8n.warnings).toEqual([
		expect.stringContaining(
			'which did not confirm its removal: You cannot delete this webhook. Publishing this node tries again',
		),
	]);
});

test('publishing again takes less than the 84 s after which n8n cancels it, although removing webhooks is rate-limited', async () => {
	await n8n.publish(node(...FIVE));
	const kind = { status: 429, headers: { 'retry-after': '42' }, body: { detail: 'No' } };
	n8n.service.faults.add({ method: 'DELETE', times: Infinity, kind });
	await onItsOwnClock(async () => {
		const begun = Date.now();
		await n8n.publish(node('tag.merged'));
		expect(Date.now() - begun).toBeLessThan(84_000);
	});
});

test('the token appears in no error and in no log, even if the service repeats the target', async () => {
	const body: Record<string, unknown> = { event: FIVE[0] };
	const when = (request: { body?: unknown }) => {
		const repeated = JSON.stringify(request.body ?? n8n.service.state.hooks);
		Object.assign(body, { target: [repeated], detail: repeated });
		return true;
	};
	await onItsOwnClock(async () => {
		await n8n.publish(node('feedback.removed'));
		const target = new URL(String(n8n.service.state.hooks[0]?.target));
		const token = target.searchParams.get('token') ?? '';
		expect(token).toHaveLength(43);
		n8n.service.faults.add({ ...POSTS, when, times: Infinity, kind: { status: 400, body } });
		n8n.service.faults.add({ method: 'DELETE', when, times: 1, kind: { status: 403, body } });
		const publishing = n8n.publish(node('tag.merged'));
		const error: unknown = await publishing.catch((thrown: unknown) => thrown);
		await sleep(LATER);
		expect(String(body.detail)).toContain(token);
		const shown = JSON.stringify(error) + String(error) + n8n.log;
		expect(shown.split('token=***').length).toBeGreaterThan(2);
		expect(shown).not.toContain(token);
	});
});

const EXISTS = { event: 'feedback.removed', target: 'https://n8n.example.com' };

test.each<[string, FaultKind, number]>([
	['its response was lost', 'reset-after', 1],
	['the service failed', { status: 503 }, 0],
	['its response has no ID', { status: 201, body: EXISTS }, 0],
	['its response has no body', { status: 201 }, 0],
	['its response has a webhook of somebody else', { status: 200, body: { id: 9, ...EXISTS } }, 0],
])(
	'a creation is not sent again once a webhook may exist, and the publish fails and names it: %s',
	async (_, kind, left) => {
		n8n.service.faults.add({ ...POSTS, kind });
		await onItsOwnClock(async () => {
			await expect(n8n.publish(node('feedback.removed'))).rejects.toThrow(
				/^Could not subscribe to 'feedback.removed': .*webhook .* may exist.* calls http.*\/survey-b in the webhook settings of Survey B/,
			);
			expect(n8n.requests).toEqual(['POST /api/v2/hooks']);
			expect(Object.keys(n8n.hooks)).toHaveLength(left);
			expect(n8n.warnings).toEqual([
				expect.stringContaining('Webhook of unknown ID (feedback.removed) may exist in Survey B'),
			]);
			await n8n.publish(node('feedback.removed'));
			expect(new Set(await deliverChange())).toEqual(new Set([200]));
			expect(n8n.runs).toHaveLength(1);
		});
	},
);

test('an error of a publish names each event for which a webhook may exist', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(node('tag.merged'));
		n8n.service.faults.add({ ...POSTS, kind: 'reset-after', times: 2 });
		const publishing = n8n.publish(node('tag.merged', ...FIVE.slice(0, 2)));
		await expect(publishing).rejects.toThrow(/'feedback.removed'.*'feedback.status_changed'/);
	});
});

test.each([20, 40])(
	'publishing creates each webhook once at a service that responds to a creation after %i s',
	async (seconds) => {
		n8n.slowness = { method: 'POST', seconds };
		await onItsOwnClock(async () => {
			const begun = Date.now();
			await n8n.publish(node('feedback.removed'));
			expect(Date.now() - begun).toBeLessThan(56_000);
			expect(Object.values(n8n.hooks)).toEqual(['feedback.removed']);
			expect(await deliverChange()).toEqual([200]);
			expect(n8n.runs).toHaveLength(1);
		});
	},
);

test('a creation to which the service responds after a minute fails the publish before n8n cancels it, and is not sent again', async () => {
	n8n.slowness = { method: 'POST', seconds: 60 };
	await onItsOwnClock(async () => {
		const begun = Date.now();
		await expect(n8n.publish(node('feedback.removed'))).rejects.toThrow(
			"'feedback.removed': Survey B did not respond within 56 s.",
		);
		expect(Date.now() - begun).toBeLessThan(60_000);
		expect(Object.values(n8n.hooks)).toEqual(['feedback.removed']);
	});
});

test('the log names the webhooks that were not found with another API key than the one that created them', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(node('feedback.removed', 'tag.merged'));
		const { hooks } = n8n;
		await n8n.unpublish();
		// The other user's webhooks are not in the list of the new key.
		n8n.apiKey = n8n.service.apiKey = 'key-of-another-user';
		n8n.service.faults.add({ method: 'DELETE', kind: { status: 404 }, times: 2 });
		await n8n.publish(node('feedback.removed', 'tag.merged'));
		await sleep(LATER);
		for (const id of Object.keys(hooks)) {
			expect(n8n.warnings.join()).toContain(`Webhook ${id} (${hooks[id]}) was not found`);
		}
		await n8n.unpublish();
		await sleep(LATER);
		expect(n8n.warnings).toHaveLength(2);
	});
});

test('a webhook ID of 40,000 characters fails the publish, and is not stored [long-id]', async () => {
	const [event = ''] = FIVE;
	const body = { id: 'x'.repeat(40_000), event };
	n8n.service.faults.add({ ...POSTS, times: Infinity, kind: { status: 201, body } });
	await onItsOwnClock(async () => await expect(n8n.publish(node(event))).rejects.toThrow(event));
	expect(JSON.stringify(n8n.saved).length).toBeLessThan(10_000);
});
