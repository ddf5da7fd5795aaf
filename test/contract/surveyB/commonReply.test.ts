import { useBench } from './bench';

const bench = useBench();

test('Get Many sends the request of the contract and returns the replies', async () => {
	const { items } = await bench.run('commonReply.getAll');
	bench.expectSent('GET /api/v2/replies/');
	expect(items).toEqual(bench.service.state.commonReplies);
});

test('Create sends the request of the contract and returns the reply', async () => {
	const item = await bench.one('commonReply.create', {
		title: 'Thanks',
		reply: 'Thank you for your time.',
		categoryName: 'Promoters',
	});
	bench.expectSent('POST /api/v2/replies/', {
		title: 'Thanks',
		reply: 'Thank you for your time.',
		category: { name: 'Promoters' },
	});
	expect(item).toEqual(bench.service.state.commonReplies.at(-1));
});

test('Delete sends the request of the contract and returns the ID', async () => {
	const id = bench.service.state.commonReplies[0]?.id;
	const item = await bench.one('commonReply.delete', {
		commonReplyId: { __rl: true, mode: 'list', value: String(id) },
	});
	bench.expectSent(`DELETE /api/v2/replies/${id}/`);
	expect(item).toEqual({ id, deleted: true });
	expect(bench.service.state.commonReplies).toHaveLength(1);
});
