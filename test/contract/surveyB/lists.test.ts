import { startServiceB } from '../../../sandbox';
import { SurveyB } from '../../../nodes/SurveyB/SurveyB.node';
import { SurveyBTrigger } from '../../../nodes/SurveyB/SurveyBTrigger.node';
import { useBench } from './bench';

const bench = useBench();
const { listSearch, loadOptions } = new SurveyB().methods;

test('Get Many of contact lists requests the unversioned path', async () => {
	const { items } = await bench().run('contactList.getAll');
	expect(bench().sent()).toEqual([{ line: 'GET /api/lists/' }]);
	expect(items).toEqual(bench().service.state.lists);
});

test('Return All returns 10,000 feedback responses completely and in order', async () => {
	bench().service.seedFeedback(9_992);
	const { items } = await bench().run('feedback.getAll', { returnAll: true });
	const ids = bench().service.state.feedback.map(({ id }) => id);
	expect(items.map(({ id }) => id)).toEqual(ids.reverse());
	expect(bench().service.requests).toHaveLength(100);
});

test('Limit reads only the pages that it needs', async () => {
	bench().service.seedFeedback(1_000);
	const { items } = await bench().run('feedback.getAll', { limit: 150 });
	expect(items).toHaveLength(150);
	expect(bench().sent()).toEqual([
		{ line: 'GET /api/v2/feedback/' },
		{ line: 'GET /api/v2/feedback/?page=2' },
	]);
});

test('every page is requested with the filters', async () => {
	bench().service.seedFeedback(400);
	const filters = { campaignId: '101' };
	const { items } = await bench().run('feedback.getAll', { returnAll: true, filters });
	expect(items).toHaveLength(204);
	expect(bench().service.requests.map(({ query }) => query.survey__campaign)).toEqual(
		Array.from({ length: 3 }, () => '101'),
	);
});

test('a next link to another origin is requested from the base URL, so the token goes nowhere else', async () => {
	const other = await startServiceB();
	bench().service.seedFeedback(292);
	bench().service.settings.nextOrigin = other.url;
	const { items } = await bench().run('feedback.getAll', { returnAll: true });
	expect(items).toHaveLength(300);
	expect(other.requests).toEqual([]);
	await other.close();
});

test.each([0, 1, 95, 250])(
	'a list of contacts in a bare array is read with %p further contacts',
	async (more) => {
		const { service } = bench();
		service.seedContacts(more);
		service.settings.bareLists = true;
		const { items } = await bench().run('contact.getAll', { returnAll: true });
		expect(items.map(({ id }) => id)).toEqual(
			[...service.state.contacts.values()].map(({ id }) => id),
		);
	},
);

test('contact lists in a bare array are read', async () => {
	bench().service.settings.bareLists = true;
	const { items } = await bench().run('contactList.getAll', { returnAll: true });
	expect(items).toEqual(bench().service.state.lists);
	expect(bench().service.requests).toHaveLength(1);
});

test('pages of another size than in the contract are read completely', async () => {
	bench().service.seedContacts(95);
	bench().service.settings.pageSize = 30;
	const { items } = await bench().run('contact.getAll', { returnAll: true });
	expect(items).toHaveLength(100);
});

test('a 404 past the last page ends the list', async () => {
	const { service } = bench();
	service.seedContacts(95);
	const [first] = [...service.state.contacts.values()];
	const results = Array.from({ length: 100 }, (_, id) => ({ ...first, id }));
	service.faults.add({ kind: { status: 200, body: { results } } });
	const { items } = await bench().run('contact.getAll', { returnAll: true });
	expect(items).toHaveLength(100);
	expect(service.requests.map(({ status }) => status)).toEqual([200, 404]);
});

test('a 404 of the first page is an error', async () => {
	bench().service.faults.add({ kind: { status: 404, body: { detail: 'Not Found' } } });
	expect(await bench().failure('contact.getAll')).toContain('Not Found (HTTP 404)');
});

test('the drop-down of contact lists shows the names of the lists', async () => {
	const expected = bench().service.state.lists.map(({ id, name }) => ({ name, value: String(id) }));
	expect(await loadOptions.getContactLists.call(bench().dropDown)).toEqual(expected);
	expect(await listSearch.searchContactLists.call(bench().dropDown, 'NEWS')).toEqual({
		results: [{ name: 'Newsletter', value: '12' }],
	});
	bench().sent();
});

test('the drop-down of common replies shows title and text', async () => {
	const { results } = await listSearch.searchCommonReplies.call(bench().dropDown);
	expect(results).toEqual(
		bench().service.state.commonReplies.map(({ id, title, reply }) => ({
			name: `${title}: ${reply}`,
			value: String(id),
		})),
	);
	expect(bench().sent()).toEqual([{ line: 'GET /api/v2/replies/' }]);
});

test('the drop-down of common replies shortens a long text', async () => {
	const body = {
		results: [{ id: 1, title: 'Long', reply: `First line,\n  ${'word '.repeat(40)}` }],
	};
	bench().service.faults.add({ kind: { status: 200, body } });
	const { results } = await listSearch.searchCommonReplies.call(bench().dropDown);
	expect(results[0]?.name).toMatch(/^Long: First line, word word .*…$/);
	expect(results[0]?.name.length).toBeLessThan(70);
});

describe('the drop-down of campaigns', () => {
	const campaigns = async (typed?: string) =>
		(await listSearch.searchCampaigns.call(bench().dropDown, typed)).results;

	test('ends with a note when metrics could not be read', async () => {
		const forbidden = { status: 403, body: { detail: 'Forbidden' } };
		bench().service.faults.add({ path: /metrics/, kind: forbidden });
		const found = await campaigns('ticket');
		expect(found).toEqual([
			{ name: 'After support ticket', value: '102' },
			{
				name: 'List may be incomplete: Metrics could not be read completely: Forbidden (HTTP 403)',
				value: '',
			},
		]);
	});

	test('shows the campaigns of the newest feedback and of the metrics', async () => {
		expect(await campaigns()).toEqual([
			{ name: 'After support ticket', value: '102' },
			{ name: 'Relationship', value: '101' },
			{ name: 'Without contact list', value: '104' },
		]);
		const lines = bench().sent();
		expect(lines).toContainEqual({ line: 'GET /api/v2/feedback/' });
		expect(lines).toContainEqual({ line: 'GET /api/v2/metrics/' });
		expect(await campaigns('TICKET')).toHaveLength(1);
		const { methods } = new SurveyBTrigger();
		expect(await methods.loadOptions.getCampaigns.call(bench().dropDown)).toEqual(
			await campaigns(),
		);
	});

	test.each([
		['/api/v2/metrics/', 2],
		['/api/v2/feedback/', 3],
	])('shows the campaigns of the other list when %s is forbidden: %i', async (path, count) => {
		bench().service.faults.add({
			times: Infinity,
			when: (request) => request.url.startsWith(path),
			kind: { status: 403, body: { detail: 'Forbidden' } },
		});
		const found = (await campaigns()).filter(({ value }) => value !== '');
		expect(found).toHaveLength(count);
	});

	test('fails with the message of the service when feedback and metrics are forbidden', async () => {
		bench().service.faults.add({ times: 2, kind: { status: 403, body: { detail: 'Forbidden' } } });
		await expect(campaigns()).rejects.toThrow('Forbidden');
	});
});

test('the drop-down of contacts shows the first contacts, and finds any contact by its email', async () => {
	const search = async (typed?: string) =>
		(await listSearch.searchContacts.call(bench().dropDown, typed)).results;
	expect(await search('lovelace')).toEqual([
		{ name: 'ada@acme.example Ada Lovelace', value: expect.any(String) },
	]);
	expect(await search('Ada@acme.example')).toHaveLength(1);
	expect(bench().sent()).toEqual([
		{ line: 'GET /api/v2/contacts/' },
		{ line: 'GET /api/v2/contacts/?email=Ada%40acme.example' },
	]);
});
