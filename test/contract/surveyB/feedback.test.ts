import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useRunner } from './runner';

const runner = useRunner();

const FROM = 'agent@example.com';

const NEW = { campaignId: '101', email: 'nathan@example.com', score: 9 };

/** Returns the newest feedback response of the seed, which is first in the list. */
const newest = () => {
	const found = runner.service.state.feedback.at(-1);
	if (found === undefined) throw new Error('The seed has no feedback');
	return found;
};

const simple = (): IDataObject => {
	const { id, score, score_type, comment, status, contact, campaign, created } = newest();
	return {
		id,
		created,
		email: contact?.email,
		name: `${contact?.first_name} ${contact?.last_name}`,
		score,
		score_type,
		comment,
		status,
		campaign_name: campaign?.name,
		tags: newest()
			.tags.map(({ name }) => name)
			.join(', '),
	};
};

test('Get requests a feedback response by its ID and returns it, simplified or raw', async () => {
	const { id } = newest();
	const item = await runner.one('feedback.get', { feedbackId: id });
	runner.expectSent(`GET /api/v2/feedback/${id}/`);
	expect(item).toEqual(simple());
	expect(await runner.one('feedback.get', { feedbackId: id, simplify: false })).toEqual(newest());
});

test('Get Many sends every filter under its name, and dates under both names of the contract', async () => {
	await runner.run('feedback.getAll', {
		filters: {
			email: 'ada@acme.example',
			score: 0,
			scoreType: 'Detractor',
			campaignId: '101',
			campaignStatus: '={{ "DRAFT" }}',
			followupType: 'REPLIED',
			status: 'OPEN',
			postedAfter: '2026-11-21T00:00:00',
			postedBefore: '={{ DateTime.fromISO("2026-11-30T23:30:00-05:00") }}',
		},
	});
	const [{ query, path } = { query: {}, path: '' }] = runner.service.requests;
	expect(path).toBe('/api/v2/feedback/');
	expect(query).toEqual({
		survey__contact__email: 'ada@acme.example',
		score: '0',
		score_type: 'detractor',
		survey__campaign: '101',
		survey__campaign__status: 'DRAFT',
		followup__type: 'REPLIED',
		status: 'OPEN',
		posted_date_0: '2026-11-21',
		posted_date_after: '2026-11-21',
		posted_date_1: '2026-12-02',
		posted_date_before: '2026-12-02',
	});
});

test('a time in Start Date and End Date counts to the millisecond, and days are asked for around them', async () => {
	const { feedback } = runner.service.state;
	const times = [
		'2026-11-20T23:59:59.999Z',
		'2026-11-21T09:30:00.000Z',
		'2026-11-21T10:30:00.000Z',
	];
	feedback.splice(times.length);
	feedback.forEach((one, i) => Object.assign(one, { created: times[i] }));
	const between = async (postedAfter?: string, postedBefore?: string) => {
		const filters = { postedAfter, postedBefore };
		const items = await runner.all('feedback.getAll', { returnAll: true, filters });
		return items.map(({ created }) => times.indexOf(String(created))).sort();
	};
	expect(await between('2026-11-21T09:30:00Z', '2026-11-21T10:30:00Z')).toEqual([1]);
	expect(runner.service.requests.at(-1)?.query).toMatchObject({
		posted_date_0: '2026-11-21',
		posted_date_1: '2026-11-22',
	});
	expect(await between('2026-11-20T23:59:59Z')).toEqual([0, 1, 2]);
	expect(await between(undefined, '2026-11-21T10:30:00.001Z')).toEqual([0, 1, 2]);
	expect(await between('2026-11-20', '2026-11-21')).toEqual([0]);
	expect(await between('2026-11-21T01:00:00+01:00', '2026-11-22T01:00:00+01:00')).toEqual([1, 2]);
});

test('rows whose lists differ only in a time of one day get the feedback of their own time each', async () => {
	const [first, second] = runner.service.state.feedback;
	Object.assign(first ?? {}, { created: '2026-11-21T09:30:00.000Z' });
	Object.assign(second ?? {}, { created: '2026-11-21T10:30:00.000Z' });
	const filters = { postedAfter: '={{ $json.after }}' };
	const parameters = { returnAll: true, filters };
	const input = ['10:00', '09:00', '11:00'].map((time) => ({ after: `2026-11-21T${time}:00Z` }));
	const { output } = await runner.run('feedback.getAll', parameters, { input });
	const found = (output[0] ?? []).map(({ json, pairedItem }) => [Object(pairedItem).item, json.id]);
	expect(found.sort()).toEqual(
		[
			[0, second?.id],
			[1, first?.id],
			[1, second?.id],
		].sort(),
	);
});

test('Get Many returns feedback simplified or raw', async () => {
	const { items, hints } = await runner.run('feedback.getAll', { limit: 1 });
	runner.expectSent('GET /api/v2/feedback/');
	expect({ items, hints }).toEqual({ items: [simple()], hints: [] });
	const whole = await runner.run('feedback.getAll', { limit: 1, simplify: false });
	expect(whole.items).toEqual([newest()]);
});

test('Create posts the assumed request and returns the feedback response', async () => {
	const item = await runner.one('feedback.create', {
		simplify: false,
		campaignId: '101',
		email: 'nathan@example.com',
		score: 0,
		additionalFields: {
			comment: 'Never again',
			status: 'CLOSED',
			tags: { tag: [{ name: 'pricing', category: 'DETRACTOR' }] },
		},
	});
	runner.expectSent('POST /api/v2/feedback/', {
		score: 0,
		email: 'nathan@example.com',
		campaign_id: 101,
		status: 'CLOSED',
		comment: 'Never again',
		tags: [{ name: 'pricing', category: 'DETRACTOR' }],
	});
	expect(item).toEqual(newest());
	expect(item).toMatchObject({ score: 0, status: 'CLOSED', comment: 'Never again' });
});

test('Create sends only what is set', async () => {
	await runner.run('feedback.create', NEW);
	runner.expectSent('POST /api/v2/feedback/', {
		score: 9,
		email: 'nathan@example.com',
		campaign_id: 101,
	});
});

test('Create rejects the score 11 before anything is sent', async () => {
	const says = await runner.failure('feedback.create', { ...NEW, score: 11 });
	expect(says).toContain("'Score' must be from 0 to 10: 11");
	expect(runner.service.requests).toEqual([]);
});

test('Create fails if the response contains no feedback record', async () => {
	runner.respond(200, { count: 0, results: [] });
	expect(await runner.failure('feedback.create', NEW)).toContain('unexpected response');
});

test('Update Status puts the status, and returns feedback raw or under its usual names', async () => {
	const { id, created, score_changed } = newest();
	const parameters = { feedbackId: id, status: 'CLOSED', simplify: false };
	const item = await runner.one('feedback.updateStatus', parameters);
	runner.expectSent(`PUT /api/v2/feedback/${id}/`, { status: 'CLOSED' });
	const others = Object.fromEntries(
		Object.entries(newest()).filter(([name]) => !['created', 'score_changed'].includes(name)),
	);
	expect(item).toEqual({ ...others, score_created: created, score_modified: score_changed });
	expect(item.status).toBe('CLOSED');
	const reopened = await runner.one('feedback.updateStatus', { feedbackId: id, status: 'OPEN' });
	expect(reopened).toEqual(simple());
});

test('sends the entered text as the reply', async () => {
	const parameters = { feedbackId: newest().id, fromUser: FROM, message: 'Thanks' };
	await runner.one('feedback.reply', parameters);
	expect(runner.bodies()).toEqual([{ from_user: FROM, message: 'Thanks' }]);
});

test('a second run of tag, reply and close replies no second time, says so, and still closes with On Error = Continue', async () => {
	const { id } = newest();
	const feedbackId = '={{ $json.id }}';
	const step = async (name: string, parameters: INodeParameters, input: IDataObject) => {
		const { items } = await runner.rows(name, { feedbackId, ...parameters }, [input]);
		return items[0] ?? {};
	};
	for (const isSecond of [false, true]) {
		newest().status = 'OPEN';
		const tag = { tagName: 'late', tagCategory: 'DETRACTOR' };
		const tagged = await step('feedback.addTag', tag, { id });
		expect(tagged.alreadyTagged).toBe(isSecond ? true : undefined);
		const replied = await step('feedback.reply', { fromUser: FROM, message: 'Sorry' }, tagged);
		expect(replied.replied).toBe(isSecond ? undefined : true);
		const says = 'Nothing was sent, since the feedback response has a reply';
		expect(JSON.stringify(replied).includes(says)).toBe(isSecond);
		await step('feedback.updateStatus', { status: 'CLOSED' }, replied);
		expect(newest().status).toBe('CLOSED');
	}
	expect(runner.service.state.replies).toHaveLength(1);
});

test('an ID that is an expression entered as text is refused before anything is sent', async () => {
	// n8n takes text as an expression only if it begins with an equals sign.
	for (const feedbackId of ['{{ $json.id }}', '$json.id', " $('Trigger').item.json.id"]) {
		const says = await runner.failure('feedback.get', { feedbackId });
		expect(says).toContain("'Feedback ID' is an expression that was entered as text");
		expect(says).toContain('Switch the field from Fixed to Expression, and write {{ $');
	}
	expect(runner.service.requests).toEqual([]);
});

test('Add Tag reads the feedback response once after a refusal: a tag that is there is no error, in any words of the service', async () => {
	const [feedbackId, other] = runner.service.state.feedback.map(({ id }) => String(id));
	const tag = { feedbackId, tagName: 'late', tagCategory: 'PASSIVE' };
	await runner.one('feedback.addTag', tag);
	runner.service.requests.length = 0;
	for (const detail of ['Name taken', 'Duplicate']) {
		runner.respond(400, { detail });
		expect(await runner.one('feedback.addTag', { ...tag, tagCategory: 'DETRACTOR' })).toEqual({
			id: Number(feedbackId),
			name: 'late',
			category: 'PASSIVE',
			alreadyTagged: true,
		});
		expect(runner.service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
		runner.service.requests.length = 0;
	}
	runner.respond(400, { detail: 'Tag names must be unique' });
	expect(await runner.failure('feedback.addTag', { ...tag, feedbackId: other })).toContain(
		'unique',
	);
});

test("Add Tag fails after a refusal if the feedback response has only 'Late' and not 'late', which may be two tags", async () => {
	const { id: feedbackId } = newest();
	await runner.one('feedback.addTag', { feedbackId, tagName: 'Late', tagCategory: 'PASSIVE' });
	runner.respond(400, { detail: 'This name is too short' });
	const tag = { feedbackId, tagName: 'late', tagCategory: 'PASSIVE' };
	expect(await runner.failure('feedback.addTag', tag)).toContain('This name is too short');
});
