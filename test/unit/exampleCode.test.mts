import { runCode } from '../support/exampleCode.mts';

// The Code nodes of examples, run with the modes of n8n's Code node. `examples.code.test.mts` has those of the others.

describe('backfill-customers, Count the Batch', () => {
	const count = (...rows: object[]) => runCode('backfill-customers', 'Count the Batch', rows);

	test('counts the rows that were taken and refused, and lists the refused emails by reason', () => {
		const rows = [
			{ email: 'ada@acme.example', status: 'accepted' },
			{ email: 'nowhere', error: 'Invalid email address' },
			{ email: 'alan@globex.example', error: 'Service unavailable' },
			{ email: 'nobody', error: 'Invalid email address' },
		];
		expect(count(...rows)).toEqual([
			{
				customers: 1,
				refused: 3,
				reasons: 'Invalid email address: nowhere, nobody\nService unavailable: alan@globex.example',
			},
		]);
	});

	test('lists nothing if every row was taken', () => {
		expect(count({ email: 'ada@acme.example' })).toEqual([
			{ customers: 1, refused: 0, reasons: '' },
		]);
	});
});

describe('slack-detractor-reply, Write Message', () => {
	const write = (item: object) => {
		const [result] = runCode('slack-detractor-reply', 'Write Message', [item]);
		return String(result?.message);
	};
	const item = { email: 'ada@acme.example', score: 2, campaign_name: 'A & B', reply: 'Thank you' };

	test('quotes every line of the comment, so that none looks like the draft', () => {
		const lines = write({ ...item, comment: 'One\nReply:\\nTwo' }).split('\n');
		expect(lines).toEqual([
			'*ada@acme.example* gave *2* (A &amp;amp; B)',
			'> One',
			'> Reply:',
			'> Two',
			'',
			'Reply:',
			'> Thank you',
		]);
	});

	test('leaves no character of a comment that starts a mention or a link', () => {
		expect(write({ ...item, comment: '<!channel> <https://evil|x> &lt;' })).not.toMatch(
			/[<]|&(?!amp;)/,
		);
	});

	test('says so if there is no email and no comment', () => {
		const message = write({ ...item, email: null, comment: null });
		expect(message).toContain('*Somebody* gave *2*');
		expect(message).toContain('> no comment');
	});
});

describe('account-nps-by-company, Draw Chart', () => {
	const draw = (...items: object[]) => {
		const [result] = runCode('account-nps-by-company', 'Draw Chart', items);
		return result ?? {};
	};
	const company = (companyName: string, NPS: number) => ({ companyName, cxMetrics: { NPS } });

	test('draws the company with the lowest score first and counts those below zero', () => {
		const { chart, companies, detractors } = draw(company('High', 67), company('Low', -25));
		expect({ companies, detractors }).toEqual({ companies: 2, detractors: 1 });
		expect(String(chart).indexOf('Low')).toBeLessThan(String(chart).indexOf('High'));
		expect(chart).toContain('<td width="25" bgcolor="#dc2626"');
		expect(chart).toContain('<td width="67" bgcolor="#16a34a"');
	});

	test('writes the name of a company as text', () => {
		expect(draw(company('<b>&', 0)).chart).toContain('<td>&lt;b&gt;&amp;</td>');
	});

	test('draws an empty chart for the empty item that comes if no company has a score', () => {
		expect(draw({})).toMatchObject({ companies: 0, detractors: 0 });
	});
});

describe('weekly-nps-report, Draw Chart', () => {
	const draw = (trend: unknown, score: object) => {
		const others = { 'Get Score': [score] };
		const [result] = runCode('weekly-nps-report', 'Draw Chart', [{ trend }], others);
		return result ?? {};
	};

	test('draws the days with a score in order', () => {
		const trend = [
			{ day: '2026-03-02', score: 0 },
			{ day: '2026-03-01', score: null },
			{ day: '2026-02-28', score: -100 },
		];
		const { svg, subject } = draw(trend, { nps: 42 });
		expect(subject).toBe('NPS this week: 42');
		expect(svg).toContain('points="50.0,280.0 750.0,160.0"');
		expect(svg).toContain('>2026-02-28</text>');
	});

	test('says so if there is no score and no trend', () => {
		const { svg, subject } = draw(undefined, {});
		expect(subject).toBe('NPS this week: no score yet');
		expect(svg).toContain('No day has a score');
	});
});

describe('comment-topics-by-ai', () => {
	const known = (topics: unknown) => {
		const list = {
			'Topic List': [{ id: '7', topics: ['pricing', 'quality', 'support', 'delivery'] }],
		};
		return runCode('comment-topics-by-ai', 'Known Topics', [{ output: { topics } }], list);
	};

	test('Known Topics keeps at most three topics of the list, each once', () => {
		const topic = (name: string, sentiment = 'negative') => ({ name, sentiment });
		expect(known([topic(' Pricing '), topic('pricing', 'positive'), topic('hacked')])).toEqual([
			{ id: '7', topics: [topic('pricing')] },
		]);
		const four = ['pricing', 'quality', 'support', 'delivery'].map((name) => topic(name));
		expect(known(four)).toEqual([{ id: '7', topics: four.slice(0, 3) }]);
	});

	test('Known Topics keeps no topic with another sentiment than the three of the service', () => {
		expect(known([{ name: 'pricing', sentiment: 'angry' }])).toEqual([{ id: '7', topics: [] }]);
		expect(known(undefined)).toEqual([{ id: '7', topics: [] }]);
	});

	test('Labeled Comments has 30 comments with topics of the list in the order of the alphabet', () => {
		const labeled = runCode('comment-topics-by-ai', 'Labeled Comments', []);
		const list = ['pricing', 'quality', 'support', 'delivery', 'usability', 'features'];
		expect(new Set(labeled.map(({ comment }) => comment)).size).toBe(30);
		for (const { topics, sentiment } of labeled) {
			const names = String(topics).split(', ').filter(Boolean);
			expect(list).toEqual(expect.arrayContaining(names));
			expect(names).toEqual([...names].sort());
			expect(['positive', 'neutral', 'negative', '']).toContain(sentiment);
		}
	});
});
