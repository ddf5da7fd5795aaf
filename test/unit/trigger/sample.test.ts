import type { IDataObject } from 'n8n-workflow';

import type { ResponseSchema } from '../../../nodes/shared/http/json';
import type { ApiRequest } from '../../../nodes/shared/http/request';
import { surveyB } from '../../../nodes/SurveyB/service';
import { newestSample } from '../../../nodes/SurveyB/trigger/subscriptions/sample';
import { EVENTS } from '../../../sandbox';

const PAGE = 100;
const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();

/** Returns a client of a service with the given rows, and the pages that it requests. */
function service(rows: IDataObject[]) {
	const asked: unknown[] = [];
	const client = {
		service: surveyB,
		async send<Answer>({ query }: ApiRequest, schema: ResponseSchema<Answer>): Promise<Answer> {
			const page = Number(query?.page ?? 1);
			asked.push(page);
			const results = rows.slice((page - 1) * PAGE, page * PAGE);
			const read = schema.safeParse({ count: rows.length, next: null, results });
			if (!read.success) throw new Error('The page cannot be read');
			return read.data;
		},
	};
	return { client, asked };
}

const feedback = (count: number, of: (number: number) => IDataObject = () => ({})) =>
	Array.from({ length: count }, (_, i) => ({
		id: i + 1,
		score: 9,
		created: day(i + 1),
		tags: [],
		campaign: { id: 101, name: 'Onboarding' },
		...of(i + 1),
	}));

const EVENT = 'feedback.removed';

test.each([
	['in one page, the oldest first', feedback(3), 3, [1]],
	['in one page, the newest first', feedback(3).reverse(), 3, [1]],
	['in many, the oldest first', feedback(250), 250, [1, 3]],
	['in many, the newest first', feedback(250).reverse(), 250, [1]],
	[
		'in many, the oldest first, two of them of one day',
		feedback(250, (id) => ({ created: day(Math.max(2, id)) })),
		250,
		[1, 3],
	],
	['in many, all of one day', feedback(250, () => ({ created: day(1) })), 1, [1]],
	[
		'in one page, one without a date',
		feedback(3, (id) => (id === 2 ? { created: null } : {})),
		3,
		[1],
	],
	['without a date', feedback(2, () => ({ created: undefined })), 1, [1]],
])('finds the newest feedback %s', async (_, rows, id, pages) => {
	const { client, asked } = service(rows);
	expect(await newestSample(client, [EVENT], {})).toMatchObject({ event: EVENT, data: { id } });
	expect(asked).toEqual(pages);
});

test('prefers feedback whose score changed last to newer feedback', async () => {
	const rows = feedback(3, (id) => ({ score_changed: id === 2 ? day(9) : day(1) }));
	const { client } = service(rows);
	expect(await newestSample(client, [EVENT], {})).toMatchObject({ data: { id: 2 } });
});

test('prefers the newest feedback that passes the filters, or returns the newest of all', async () => {
	const rows = feedback(3, (id) => ({ score: id }));
	const { client } = service(rows);
	expect(await newestSample(client, [EVENT], { maxScore: 2 })).toMatchObject({ data: { id: 2 } });
	expect(await newestSample(client, [EVENT], { minScore: 8 })).toMatchObject({ data: { id: 3 } });
});

test('a sample of added feedback has no href, like a delivery', async () => {
	const { client } = service(feedback(1, () => ({ href: 'https://survey.example.com/1' })));
	const added = await newestSample(client, ['feedback.added_or_changed'], {});
	expect(added?.data).not.toHaveProperty('href');
	expect((await newestSample(client, [EVENT], {}))?.data).toHaveProperty('href');
});

test('samples of tag events have the newest tags, in the shape of a delivery', async () => {
	const tags = [{ name: 'slow' }, { name: 'late' }];
	const { client } = service(feedback(3, (id) => ({ tags: id === 2 ? tags : null })));
	const campaign = { id: 101, Name: 'Onboarding' };
	const sampleOf = async (event: string) => (await newestSample(client, [event], {}))?.data;
	expect(await sampleOf('tag.renamed')).toEqual({ campaign, before: 'slow', after: 'late' });
	expect(await sampleOf('tag.merged')).toEqual({ campaign, before: 'slow', after: 'late' });
	expect(await sampleOf('tag.removed')).toEqual({ campaign, name: 'slow' });
});

test('uses a single tag for both names, and skips feedback without a campaign', async () => {
	const rows = feedback(3, (id) => ({
		tags: id > 1 ? [{ name: `tag ${id}` }] : [],
		campaign: id === 3 ? null : { id, name: 'One' },
	}));
	const { client } = service(rows);
	expect((await newestSample(client, ['tag.renamed'], {}))?.data).toEqual({
		campaign: { id: 2, Name: 'One' },
		before: 'tag 2',
		after: 'tag 2',
	});
});

test('a sample of an unsubscribed contact has only the fields of a delivery', async () => {
	const contact = {
		id: 7,
		email: 'ada@acme.example',
		first_name: 'Ada',
		last_name: 'Lovelace',
		attributes: { plan: 'team' },
	};
	const { client } = service([{ ...contact, href: 'https://survey.example.com/7', lists: [] }]);
	const sample = await newestSample(client, ['contact.unsubscribed'], {});
	expect(sample).toEqual({
		event: 'contact.unsubscribed',
		data: contact,
		matchesFilters: true,
	});
});

test('returns a sample of the first event that has data, and none if the service is empty', async () => {
	const { client } = service(feedback(1));
	for (const other of ['tag.removed', 'survey.sent']) {
		expect(await newestSample(client, [other, EVENT], {})).toMatchObject({ event: EVENT });
	}
	const { client: empty } = service([]);
	expect(await newestSample(empty, EVENTS, {})).toBe(undefined);
});

test.each([
	['the oldest first', (rows: IDataObject[]) => rows],
	['the newest first', (rows: IDataObject[]) => [...rows].reverse()],
])('finds an older match on an older page, %s', async (_, order) => {
	const rows = order(feedback(450, (id) => ({ score: id === 120 ? 0 : 9 })));
	const { client } = service(rows);
	const sample = await newestSample(client, [EVENT], { maxScore: 6 });
	expect(sample).toMatchObject({ data: { id: 120 }, matchesFilters: true });
});

test.each([
	['the oldest first', feedback(250), [1, 3, 2, 1]],
	['the newest first', feedback(250).reverse(), [1, 2, 3]],
])('searches every page for feedback that passes the filters, %s', async (_, rows, pages) => {
	const { client, asked } = service(rows);
	const sample = await newestSample(client, [EVENT], { maxScore: 6 });
	expect(sample).toMatchObject({ data: { id: 250 }, matchesFilters: false });
	expect(asked).toEqual(pages);
});

test('a sample reports that no feedback of five pages passes the filters', async () => {
	const { client, asked } = service(feedback(900));
	const sample = await newestSample(client, [EVENT], { maxScore: 6 });
	expect(sample).toMatchObject({ data: { id: 900 }, matchesFilters: false });
	expect(asked).toEqual([1, 9, 8, 7, 6, 5]);
});
