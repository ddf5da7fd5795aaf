import { startServiceB } from '../../../sandbox';
import { SurveyB } from '../../../nodes/SurveyB/SurveyB.node';
import { SurveyBTrigger } from '../../../nodes/SurveyB/SurveyBTrigger.node';
import { useRunner } from './runner';

const runner = useRunner();
const { listSearch } = new SurveyB().methods;

test('a next link to another host is not followed [next-link]', async () => {
	const other = await startServiceB();
	runner.service.seedFeedback(292);
	runner.service.settings.nextOrigin = other.url;
	const { items } = await runner.run('feedback.getAll', { returnAll: true });
	expect(items).toHaveLength(300);
	expect(other.requests).toEqual([]);
	await other.close();
});

test('a page past the end of a bare list ends it where errors have status 200', async () => {
	const { service } = runner;
	service.seedContacts(95);
	Object.assign(service.settings, { bareLists: true, errors: 'status200', pageSize: 100 });
	const { items } = await runner.run('contact.getAll', { returnAll: true });
	expect(items).toHaveLength(service.state.contacts.size);
});

test('a bare list does not end at a 404 of a proxy, which has no first page either', async () => {
	const { service } = runner;
	service.seedContacts(250);
	Object.assign(service.settings, { bareLists: true, pageSize: 100 });
	const kind = { status: 404, body: '<html>Not found</html>' };
	service.faults.add({ kind, when: () => service.requests.length > 1, times: Infinity });
	const error = await runner.failure('contact.getAll', { returnAll: true });
	expect(error).toMatch(/^Survey B refused the request \(HTTP 404\)/);
});

test('a 404 past the last page ends the list, and one for the first page is an error', async () => {
	const { service } = runner;
	service.seedContacts(95);
	const [first] = [...service.state.contacts.values()];
	const results = Array.from({ length: 100 }, (_, id) => ({ ...first, id }));
	service.faults.add({ kind: { status: 200, body: { results } } });
	const { items } = await runner.run('contact.getAll', { returnAll: true });
	expect(items).toHaveLength(100);
	expect(service.requests.map(({ status }) => status)).toEqual([200, 404]);
	runner.respond(404, { detail: 'Not found.' });
	expect(await runner.failure('contact.getAll')).toMatch(/^Not found \(HTTP 404\)/);
});

test.each([
	['contactList.getAll', 'GET /api/lists/'],
	['metric.getAll', 'GET /api/v2/metrics/'],
	['commonReply.getAll', 'GET /api/v2/replies/'],
])(
	'%s asks for no page, since the API documentation shows none, if an array comes without counts',
	async (name, line) => {
		const body = [1, 2, 3].map((id) => ({ id, name: `${id}`, title: `${id}`, href: `/${id}/` }));
		runner.respond(200, body);
		expect(await runner.all(name, { returnAll: true })).toHaveLength(3);
		expect(runner.lines()).toEqual([line]);
	},
);

test('the drop-down of contact lists shows the names of the lists', async () => {
	const expected = runner.service.state.lists.map(({ id, name }) => ({ name, value: String(id) }));
	expect(await listSearch.searchContactLists.call(runner.dropDown)).toEqual({ results: expected });
	expect(await listSearch.searchContactLists.call(runner.dropDown, 'NEWS')).toEqual({
		results: [{ name: 'Newsletter', value: '12' }],
	});
});

test('entries of a drop-down with equal names show their IDs, and one without a name shows its ID', async () => {
	const lists = [
		{ id: 1, name: 'VIP' },
		{ id: 2, name: 'VIP' },
		{ id: 3, name: '' },
	];
	runner.respond(200, { count: 3, next: null, previous: null, results: lists });
	const { results } = await listSearch.searchContactLists.call(runner.dropDown);
	expect(results.map(({ name }) => name)).toEqual(['VIP (1)', 'VIP (2)', '3']);
});

test('the drop-down of common replies shows their titles', async () => {
	runner.respond(200, { results: [{ id: 1, title: 'Title' }, { id: 2 }] });
	const { results } = await listSearch.searchCommonReplies.call(runner.dropDown);
	expect(results).toEqual([
		{ name: 'Title', value: '1' },
		{ name: '2', value: '2' },
	]);
	expect(runner.lines()[0]).toBe('GET /api/v2/replies/');
});

test('the drop-down of tags shows each tag of the feedback once, by its name', async () => {
	const [first, second, third] = runner.service.state.feedback;
	runner.service.state.feedback.forEach((feedback) => (feedback.tags = []));
	if (first) first.tags = [{ name: 'pricing', category: 'PASSIVE' }];
	if (second) Object.assign(second, { tags: null });
	if (third) third.tags = [...(first?.tags ?? []), { name: 'support', category: 'PROMOTER' }];
	const { results } = await listSearch.searchTags.call(runner.dropDown);
	expect(results).toEqual(['pricing', 'support'].map((name) => ({ name, value: name })));
	runner.expectSent('GET /api/v2/feedback/');
});

test('a drop-down leaves out an entry whose value n8n would evaluate as an expression', async () => {
	const tags = ['={{ $json.secret }}', '=x', 'a=b'].map((name) => ({ name, category: 'PASSIVE' }));
	runner.respond(200, { count: 1, next: null, previous: null, results: [{ id: 1, tags }] });
	const shown = await listSearch.searchTags.call(runner.dropDown);
	expect(shown).toEqual({ results: [{ name: 'a=b', value: 'a=b' }] });
});

describe('the drop-down of campaigns', () => {
	const campaigns = async (typed?: string) =>
		(await listSearch.searchCampaigns.call(runner.dropDown, typed)).results;

	test('shows the campaigns of feedback, sorted by name', async () => {
		expect(await campaigns()).toEqual([
			{ name: 'After support ticket', value: '102' },
			{ name: 'Relationship', value: '101' },
		]);
		expect(runner.lines()).toEqual(['GET /api/v2/feedback/']);
		expect(await campaigns('TICKET')).toHaveLength(1);
		const { methods } = new SurveyBTrigger();
		expect(await methods.loadOptions.getCampaigns.call(runner.dropDown)).toEqual(await campaigns());
	});

	test('marks campaigns that are complete, and shows none without an ID or a name', async () => {
		const rows = [
			{ id: 1, name: 'Done', status: 'COMPLETE' },
			{ id: 2, name: 'Draft', status: 'INCOMPLETE' },
			{ id: 3, name: 'Unknown' },
			{ id: 4, name: '', status: 'ACTIVE' },
			{ name: 'Without ID', status: 'ACTIVE' },
			null,
		];
		const results = rows.map((campaign, id) => ({ id, campaign }));
		runner.respond(200, { count: results.length, next: null, results });
		expect(await campaigns()).toEqual([
			{ name: 'Done (complete)', value: '1' },
			{ name: 'Draft', value: '2' },
			{ name: 'Unknown', value: '3' },
		]);
	});

	test('reads the newest 2,000 feedback responses, and says that it may be incomplete', async () => {
		const [first] = runner.service.state.feedback;
		if (first === undefined) throw new Error('The sandbox has no feedback');
		runner.service.state.feedback = Array.from({ length: 2100 }, (_, id) => ({ ...first, id }));
		const found = await campaigns();
		expect(found.at(-1)).toEqual({
			name: 'List may be incomplete: type more of the name, or enter the ID',
			value: '',
		});
	});

	test('fails with the message of the service when feedback is forbidden', async () => {
		runner.respond(403, { detail: 'Forbidden' });
		await expect(campaigns()).rejects.toThrow('Forbidden');
	});
});

test('the drop-down of contacts shows a contact without names by its email, or else by its ID', async () => {
	const named = { id: 1, email: 'a@example.com', first_name: null, last_name: '' };
	runner.respond(200, { results: [named, { id: 2, first_name: '' }] });
	expect(await listSearch.searchContacts.call(runner.dropDown)).toEqual({
		results: [
			{ name: 'a@example.com', value: '1' },
			{ name: '2', value: '2' },
		],
	});
});

test('the drop-down of contacts shows the first contacts, and finds any contact by its email', async () => {
	const search = async (typed?: string) =>
		(await listSearch.searchContacts.call(runner.dropDown, typed)).results;
	expect(await search('lovelace')).toEqual([
		{ name: 'ada@acme.example Ada Lovelace', value: expect.any(String) },
	]);
	expect(await search('Ada@acme.example')).toHaveLength(1);
	expect(runner.lines()).toEqual([
		'GET /api/v2/contacts/',
		'GET /api/v2/contacts/?email=Ada%40acme.example',
	]);
});
