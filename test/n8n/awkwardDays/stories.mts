import { click, unwrapped } from '../../support/mailbox.mts';
import { host, type WorkflowInput } from '../../support/n8n.mts';
import { request } from '../../support/sandbox';
import type { Play, Story } from './play.mts';
import type { Answer, World } from './world.mts';

// The purpose of each example, told once: an event, and the effects that have to come for each person.

const CAMPAIGN = '64a000000000000000000003';

const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@days.example`);
const each = (what: string, whom: string[]) => whom.map((one) => `${what} ${one}`);

const surveysOfA = ({ world }: Play) =>
	world.sandbox.a.state.sent.map(({ email }) => `survey ${email}`);
const surveysOfB = ({ world }: Play) =>
	world.sandbox.b.state.sent.map(({ email }) => `survey ${email}`);
const calls = ({ world }: Play, path: string, key: string, what: string) =>
	world.calls
		.filter((call) => call.path === path)
		.map(({ body }) => `${what} ${Object(body)[key]}`);

const event = (path: string, count: number) => async (play: Play) => {
	const customers = people(count).map((email) => ({ email, plan: 'pro' }));
	await play.post(path, { customers });
};

export const crmEventA: Story = {
	name: 'crm-event-to-survey',
	happens: event('crm-event', 120),
	done: surveysOfA,
	expected: each('survey', people(120)),
};

export const crmEventB: Story = {
	name: 'crm-event-to-survey-b',
	happens: event('crm-event-b', 3),
	done: surveysOfB,
	expected: each('survey', people(3)),
};

const answerB = (score: number, comment?: string, email = 'ada@days.example') => {
	return ({ world }: Play) => {
		const { b } = world.sandbox;
		const given = b.state.feedback.find((one) => one.contact.email === email);
		// A service that delivers again sends the same record.
		if (given) return void b.emit('feedback.added_or_changed', given);
		b.answer({ email, campaignId: 101, score, comment });
	};
};
const happensInB = (score: number, comment?: string) => async (play: Play) =>
	answerB(score, comment)(play);

const repliesOfB = ({ world }: Play) => world.sandbox.b.state.replies.map(() => 'reply');

export const routeDetractors: Story = {
	name: 'route-detractors',
	happens: happensInB(2, 'Slow'),
	done: (play) => [
		...repliesOfB(play),
		...play.world.sandbox.b.state.feedback
			.filter(({ status }) => status === 'CLOSED')
			.map(() => 'closed'),
		...calls(play, '/alert-team', 'none', 'alert').map(() => 'alert'),
		...calls(play, '/open-ticket', 'email', 'ticket'),
	],
	expected: ['alert', 'closed', 'reply', 'ticket ada@days.example'],
};

/** The same with an answer whose delivery never comes: the search of every hour finds it. */
export const routeDetractorsMissed: Story = {
	...routeDetractors,
	happens: async (play) => {
		const { hooks, feedback } = play.world.sandbox.b.state;
		hooks.length = 0;
		if (feedback.length === 0) answerB(2, 'Slow')(play);
		play.pass(1);
		await play.start('Every Hour');
	},
};

interface Ticket {
	id: number;
	external_id: string;
	tags: string[];
}

/** A Zendesk that knows its tickets. */
function zendeskDesk(): Answer {
	const tickets: Ticket[] = [];
	return (path, body) => {
		if (path === '/find-ticket') {
			const [, asked] = /"(.+)"/.exec(String(body['options/query'])) ?? [];
			return tickets.find(({ external_id }) => external_id === asked) ?? {};
		}
		if (path === '/open-ticket') {
			const ticket = { id: tickets.length + 1, ...JSON.parse(String(body.additionalFieldsJson)) };
			tickets.push(ticket);
			return ticket;
		}
		const changed = tickets.find(({ id }) => id === Number(body.id));
		return Object.assign(changed ?? {}, JSON.parse(String(body.updateFieldsJson)));
	};
}

export const zendesk: Story = {
	name: 'zendesk-detractor-ticket',
	desk: zendeskDesk,
	happens: happensInB(2, 'Slow'),
	done: (play) => [
		...calls(play, '/open-ticket', 'none', 'ticket').map(() => 'ticket'),
		...calls(play, '/add-to-ticket', 'none', 'note').map(() => 'note'),
	],
	expected: ['ticket'],
};

/** The same with an answer that changes after its ticket was opened. */
export const zendeskNote: Story = {
	...zendesk,
	happens: async (play) => {
		const { b } = play.world.sandbox;
		await happensInB(2, 'Slow')(play);
		await play.settle();
		const changed = { email: 'ada@days.example', campaignId: 101, score: 0, comment: 'Too slow' };
		if (b.state.feedback[0]?.score !== 0) b.answer(changed);
	},
	expected: ['ticket', 'note'],
};

const subjects = ({ world }: Play, subject: RegExp, what: string) =>
	world.mailbox.messages.filter((one) => subject.test(unwrapped(one))).map(() => what);

export const closedLoop: Story = {
	name: 'closed-loop',
	happens: async (play) => {
		answerB(2, 'Slow')(play);
		await play.hoursLater(0);
		play.pass(73);
		await play.start('Every Hour');
	},
	done: (play) => subjects(play, /Subject: Detractor due/, 'reminder'),
	expected: ['reminder'],
};

/** The same with a detractor who is still open two days later. */
export const closedLoopLate: Story = {
	...closedLoop,
	happens: async (play) => {
		await closedLoop.happens(play);
		await play.settle();
		play.pass(49);
		await play.start('Every Hour');
	},
	done: (play) => [
		...subjects(play, /Subject: Detractor due/, 'reminder'),
		...subjects(play, /Subject: Detractor late/, 'escalation'),
	],
	expected: ['escalation', 'reminder'],
};

export const slack: Story = {
	name: 'slack-detractor-reply',
	happens: happensInB(2, 'Slow'),
	answer: (path) => (path === '/ask-in-slack' ? { data: { approved: true } } : {}),
	done: (play) => [
		...calls(play, '/ask-in-slack', 'none', 'ask').map(() => 'ask'),
		...repliesOfB(play),
	],
	expected: ['ask', 'reply'],
};

export const promoter: Story = {
	name: 'promoter-to-referral',
	happens: happensInB(10, 'Great'),
	done: async (play) => [
		...repliesOfB(play),
		...(await play.rows('Referrals')).map(({ email }) => `row ${email}`),
		...(play.world.sandbox.b.state.contacts.get('ada@days.example')?.attributes.referrer === 'yes'
			? ['referrer']
			: []),
	],
	expected: ['referrer', 'reply', 'row ada@days.example'],
};

export const contact = (email: string | undefined, more: object = {}) => ({
	vid: 1,
	properties: { email: { value: email }, firstname: { value: 'Ada' }, ...more },
});

/** Returns a deal as HubSpot shows it. */
export const deal = (
	dealId: number,
	{ name, wonAt, associatedVids }: { name: string; wonAt: number; associatedVids: number[] },
) => ({
	dealId,
	properties: {
		dealname: { value: name },
		closedate: { value: String(wonAt) },
		dealstage: { value: 'closedwon' },
	},
	associations: { associatedVids },
});

export const hubspotDealWon: Story = {
	name: 'hubspot-deal-won-survey',
	trigger: {
		'Deal Changes': [
			{
				dealId: 7,
				propertyName: 'dealstage',
				propertyValue: 'closedwon',
				subscriptionType: 'deal.propertyChange',
				occurredAt: Date.now(),
			},
		],
	},
	answer: (path, body, ago) => {
		if (path === '/get-deal') {
			return deal(7, { name: 'Acme', wonAt: ago(1).getTime(), associatedVids: [1, 2] });
		}
		if (path === '/get-contact')
			return contact(`p${Number(Object.values(body)[0]) - 1}@days.example`);
		return {};
	},
	happens: async (play) => await play.start('Deal Changes'),
	done: surveysOfA,
	expected: each('survey', people(2)),
};

/** Returns a contact as HubSpot's search shows it. */
export const customer = (email: string | null, wonAt: Date, more: object = {}, id = 1) => ({
	id: String(id),
	properties: { email, recent_deal_close_date: wonAt.toISOString(), ...more },
});

export const whoWasSurveyed: Story = {
	name: 'who-was-surveyed',
	answer: (_path, _body, ago) => people(2).map((email) => customer(email, ago(24))),
	happens: async (play) => await play.start('Every Morning'),
	done: ({ world }) => {
		const mails = world.mailbox.messages.map(unwrapped).join('\n');
		return people(2)
			.filter((email) => mails.includes(`${email}: notYet`))
			.map((email) => `no survey: ${email}`);
	},
	expected: each('no survey:', people(2)),
};

export interface Case {
	Id: string;
	CaseNumber: string;
	Subject: string;
	IsClosed: boolean;
	ContactId: string;
	ClosedDate: string;
	Contact: {
		Email: string | null;
		FirstName: string;
		LastName: string;
		HasOptedOutOfEmail: boolean;
	};
}

export const closedCase = (i: number, closed = new Date(Date.now() - 3_600_000)): Case => ({
	Id: `case${i}`,
	CaseNumber: `0000${i}`,
	Subject: 'Export fails',
	IsClosed: true,
	ContactId: String(i + 1),
	ClosedDate: closed.toISOString(),
	Contact: {
		Email: `p${i}@days.example`,
		FirstName: 'Ada',
		LastName: 'Byron',
		HasOptedOutOfEmail: false,
	},
});
/** Answers a query as Salesforce does, as far as the example asks. */
export function casesThat(query: string, cases: Case[]): Case[] {
	const [, since = ''] = /ClosedDate >= (\S+)/.exec(query) ?? [];
	const wantsNoOptOut = /Contact\.HasOptedOutOfEmail = false/.test(query);
	return cases.filter(
		({ ClosedDate, Contact }) =>
			ClosedDate >= since &&
			!(wantsNoOptOut && Contact.HasOptedOutOfEmail) &&
			Contact.Email !== null,
	);
}

export const salesforce: Story = {
	name: 'salesforce-case-closed-csat',
	trigger: { 'Case Changes': [0, 1, 2].map((i) => closedCase(i)) },
	answer: (path, body, ago) => {
		if (path === '/get-cases-closed-today') {
			return casesThat(
				String(body.query),
				[0, 1, 2].map((i) => closedCase(i, ago(1))),
			);
		}
		const email = `p${Number(Object.values(body)[0]) - 1}@days.example`;
		return path === '/get-contact' ? { Email: email, FirstName: 'Ada', LastName: 'Byron' } : {};
	},
	happens: async (play) => {
		await play.start('Case Changes');
		await play.start('Every Hour');
	},
	done: surveysOfB,
	expected: each('survey', people(3)),
};

export interface SolvedTicket {
	id: number;
	subject: string;
	status: string;
	requester_id: number;
	tags: string[];
	/** When it was solved, in hours before the story began. */
	hoursAgo: number;
}

export interface Requester {
	id: number;
	name: string;
	email: string | null;
	tags: string[];
}

export const solvedTicket = (i: number, more: Partial<SolvedTicket> = {}): SolvedTicket => ({
	id: 100 + i,
	subject: 'Export fails',
	status: 'solved',
	requester_id: i + 1,
	tags: ['export'],
	hoursAgo: 1,
	...more,
});

/** A Zendesk that knows its tickets and their tags, and searches them as far as the example asks. */
export function ticketDesk(
	tickets: SolvedTicket[],
	requesters: Array<Partial<Requester>> = [],
): Answer {
	return (path, body, ago) => {
		if (path === '/get-solved-tickets') {
			const query = String(body['options/query']);
			const [, since = ''] = /solved>=(\S+)/.exec(query) ?? [];
			const without = [...query.matchAll(/-tags:(\S+)/g)].map(([, tag]) => tag);
			return tickets.filter(
				({ status, tags, hoursAgo }) =>
					query.includes(`status:${status}`) &&
					ago(hoursAgo).toISOString() >= since &&
					!tags.some((tag) => without.includes(tag)),
			);
		}
		const id = Number(body.id);
		if (path === '/get-requester') {
			const usual = { id, name: 'Ada Byron', email: `p${id - 1}@days.example`, tags: [] };
			return { ...usual, ...requesters[id - 1] };
		}
		const changed = tickets.find((one) => one.id === id);
		return Object.assign(changed ?? {}, JSON.parse(String(body.updateFieldsJson)));
	};
}

export const zendeskSolved: Story = {
	name: 'zendesk-solved-survey',
	desk: () => ticketDesk([0, 1, 2].map((i) => solvedTicket(i))),
	happens: async (play) => await play.start('Every Hour'),
	done: surveysOfB,
	expected: each('survey', people(3)),
};

export const answersOfA = [
	{
		id: 'f1',
		createdDate: '2026-03-02T09:15:00.000Z',
		email: 'p0@days.example',
		name: 'Ada',
		score: 2,
		metricsType: 'NPS',
		comment: 'Slow',
		campaignName: 'After purchase',
		campaignId: '64a000000000000000000003',
	},
	{
		id: 'f2',
		createdDate: '2026-03-02T09:20:00.000Z',
		email: 'p1@days.example',
		name: 'Alan',
		score: 9,
		metricsType: 'NPS',
		comment: 'Fine',
		campaignName: 'After purchase',
		campaignId: '64a000000000000000000003',
	},
];
export const hubspotLastAnswer: Story = {
	name: 'hubspot-last-answer',
	trigger: { 'Feedback Comes In': answersOfA },
	happens: async (play) => await play.start('Feedback Comes In'),
	// Writing the same again changes nothing, so what counts is the last writing.
	done: ({ world }) => [
		...new Set(world.calls.map(({ body }) => `on the contact ${Object(body).email}`)),
	],
	expected: each('on the contact', people(2)),
};

export const backfill: Story = {
	name: 'backfill-customers',
	change: ({ nodes }) => {
		for (const { name, parameters = {} } of nodes) {
			if (name === '5,000 at a Time') parameters.batchSize = 600;
			if (name === 'Make Sample Customers')
				parameters.jsonOutput = String(parameters.jsonOutput)
					.replace('50000', '1100')
					.replace('@example.com', '@days.example');
		}
	},
	happens: async (play) => await play.start('Start Backfill'),
	done: ({ world }) =>
		[...world.sandbox.a.state.customers.keys()]
			.filter((email) => email.endsWith('@days.example'))
			.map((email) => `customer ${email}`),
	expected: Array.from({ length: 1100 }, (_, i) => `customer customer${i}@days.example`),
};

export const sheets: Story = {
	name: 'google-sheets-nightly-answers',
	trigger: { 'Every Night': answersOfA },
	happens: async (play) => await play.start('Every Night'),
	done: ({ world }) => [
		...new Set(
			world.calls.filter(({ path }) => path === '/add-to-sheet').map(() => 'in the sheet'),
		),
	],
	expected: ['in the sheet'],
};

export const oneRunPerChange: Story = {
	name: 'one-run-per-change',
	happens: happensInB(5),
	done: ({ world }) => world.sandbox.b.state.feedback.flatMap(({ tags }) => tags.map(() => 'tag')),
	expected: ['tag'],
	database: {
		begin: async (play) => await play.start('Run Once'),
		minuteLater: async (server) =>
			await server.rows("UPDATE survey_changes SET claimed_at = claimed_at - interval '1 minute'"),
	},
};

export const nightlyExport: Story = {
	name: 'nightly-feedback-export',
	happens: async (play) => await play.start('Every Night'),
	done: () => [],
	expected: [],
};

/** Returns whether such a mail came. A report that comes twice says the same. */
const mails =
	(subject: RegExp) =>
	({ world }: Play) =>
		world.mailbox.messages.some((one) => subject.test(unwrapped(one))) ? ['mail'] : [];

export const weekly: Story = {
	name: 'weekly-nps-report',
	happens: async (play) => await play.start('Every Monday'),
	done: mails(/Subject: .*NPS/),
	expected: ['mail'],
};
export const account: Story = {
	name: 'account-nps-by-company',
	happens: async (play) => await play.start('Every Monday'),
	done: mails(/Subject: Account NPS/),
	expected: ['mail'],
};
export const responseRate: Story = {
	name: 'survey-response-rate',
	happens: async (play) => await play.start('Every Monday'),
	done: mails(/Subject: Survey rates/),
	expected: ['mail'],
};

export const npsHistory: Story = {
	name: 'nps-history',
	begin: ({ sandbox }) =>
		void sandbox.b.answer({ email: 'ada@days.example', campaignId: 101, score: 9, comment: 'Yes' }),
	happens: async (play) => await play.start('Every Month'),
	done: async (play) => [
		...(await play.rows('Survey history')).map(({ email }) => `row ${email}`),
		...mails(/Subject: NPS by month/)(play),
	],
	expected: ['mail', 'row ada@days.example'],
};

export const npsImport: Story = {
	name: 'nps-history-import',
	happens: async (play) => {
		const form = new FormData();
		const csv = 'email,score,date,campaign,comment\nada@days.example,9,2024-05-31,Yearly,Fine\n';
		form.append('field-0', new Blob([csv], { type: 'text/csv' }), 'old.csv');
		await play.submit('Upload CSV', form);
	},
	done: async (play) => (await play.rows('Survey history')).map(({ email }) => `row ${email}`),
	expected: ['row ada@days.example'],
};

/** The same with a row that is refused. */
export const npsImportRefused: Story = {
	...npsImport,
	happens: async (play) => {
		const form = new FormData();
		const rows = [
			'ada@days.example,9,2024-05-31,Yearly,Fine',
			'bad@days.example,x,2024-05-31,Yearly,',
		];
		const csv = ['email,score,date,campaign,comment', ...rows, ''].join('\n');
		form.append('field-0', new Blob([csv], { type: 'text/csv' }), 'old.csv');
		await play.submit('Upload CSV', form);
	},
	done: async (play) => [
		...(await play.rows('Survey history')).map(({ email }) => `row ${email}`),
		...mails(/Subject: NPS history/)(play),
	],
	expected: ['mail', 'row ada@days.example'],
};

export const optOuts: Story = {
	name: 'opt-outs-to-crm',
	change: ({ nodes }) => {
		// The trigger takes the same data within an hour for a repeat. No test waits for an hour.
		const [trigger] = nodes.filter(({ type }) => type.endsWith('surveyBTrigger'));
		Object.assign(trigger?.parameters ?? {}, { options: { ignoreRepeats: false } });
	},
	happens: async ({ world }) => {
		const { b } = world.sandbox;
		const email = 'ada@days.example';
		await request(b, 'POST /api/v2/contacts/', { email });
		const contact = b.state.contacts.get(email);
		if (!contact) return;
		contact.unsubscribed = true;
		b.emit('contact.unsubscribed', {
			attributes: {},
			first_name: '',
			last_name: '',
			id: contact.id,
			email: contact.email,
		});
	},
	done: ({ world }) => [
		...new Set(world.sandbox.a.state.unsubscribed.map(({ email }) => `out of A: ${email}`)),
		...new Set(world.calls.map(({ body }) => `in HubSpot: ${Object(body).email}`)),
	],
	expected: ['in HubSpot: ada@days.example', 'out of A: ada@days.example'],
};

/** The same for somebody who opts out of Survey A, whose outbox is read every hour. */
export const optOutsOfA: Story = {
	...optOuts,
	begin: ({ sandbox: { a, b } }) => {
		const email = 'ada@days.example';
		void request(b, 'POST /api/v2/contacts/', { email });
		void request(a, 'POST /api/v2/survey', { campaign: CAMPAIGN, subscribers: [{ email }] });
	},
	happens: async (play) => {
		for (const one of play.world.sandbox.a.state.outbox) one.detailedStatus.isOptedOut = true;
		await play.start('Every Hour');
	},
	done: ({ world }) => [
		...new Set(world.sandbox.b.state.unsubscribed.map(({ email }) => `out of B: ${email}`)),
		...new Set(world.calls.map(({ body }) => `in HubSpot: ${Object(body).email}`)),
	],
	expected: ['in HubSpot: ada@days.example', 'out of B: ada@days.example'],
};

/** Lets a detractor answer, and somebody close the feedback: so many days ago. */
export function closedDetractor(
	{ sandbox: { b } }: World,
	email: string,
	{ posted = 70, closed = 61, campaignId = 101, status = 'CLOSED' as 'OPEN' | 'CLOSED' } = {},
): void {
	const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
	const given = b.answer({ email, campaignId, score: 2, comment: 'Slow' });
	Object.assign(given, { created: daysAgo(posted), status, status_changed: daysAgo(closed) });
}

export const detractorsAgain: Story = {
	name: 'detractors-again',
	begin: (world) => {
		for (const email of people(2)) closedDetractor(world, email);
	},
	happens: async (play) => await play.start('Every Hour'),
	done: surveysOfB,
	expected: each('survey', people(2)),
};

/** Returns the people who got a mail that asks for a review. */
export const askedForReview = ({ world }: Play) =>
	world.mailbox.messages
		.map(unwrapped)
		.filter((one) => /^Subject: Would you write a review/m.test(one))
		.map((one) => /^To: (.+?)\r?$/m.exec(one)?.[1] ?? 'nobody');

export const promoterToReview: Story = {
	name: 'promoter-to-review',
	begin: ({ sandbox }) => {
		for (const email of people(2)) sandbox.b.answer({ email, campaignId: 101, score: 10 });
	},
	happens: async (play) => await play.start('Every Morning'),
	done: (play) => each('review', askedForReview(play)),
	expected: each('review', people(2)),
};

/** Returns a mail as n8n reads it, from "Ada Lovelace <ada@days.example>" unless said otherwise. */
export const reply = (text: string, more: object = {}) => {
	const from = { address: 'ada@days.example', name: 'Ada Lovelace' };
	const mail = { messageId: `<${text}@mail.example>`, subject: 'Re: Your opinion', text };
	return { ...mail, from: { value: [from] }, headers: {}, ...more };
};

export const stopReply: Story = {
	name: 'stop-reply-unsubscribe',
	trigger: { 'Mail Comes In': [reply('Stop')] },
	begin: ({ sandbox: { b } }) =>
		void request(b, 'POST /api/v2/contacts/', { email: 'ada@days.example' }),
	happens: async (play) => await play.start('Mail Comes In'),
	// Unsubscribing somebody twice changes nothing.
	done: ({ world: { sandbox } }) => [
		...new Set(sandbox.a.state.unsubscribed.map(({ email }) => `out of A: ${email}`)),
		...new Set(sandbox.b.state.unsubscribed.map(({ email }) => `out of B: ${email}`)),
	],
	expected: ['out of A: ada@days.example', 'out of B: ada@days.example'],
};

/** The same with a reply that is not clear. */
export const unclearReply: Story = {
	...stopReply,
	trigger: { 'Mail Comes In': [reply('Why do you ask?')] },
	done: mails(/Why do you ask/),
	expected: ['mail'],
};

const topics = JSON.stringify({ topics: [{ name: 'pricing', sentiment: 'negative' }] });
export const commentTopics: Story = {
	name: 'comment-topics-by-ai',
	script: [{ says: topics }],
	change: ({ nodes }) => {
		// n8n publishes an evaluation only with a table.
		for (const node of nodes.filter(({ type }) => type.endsWith('.evaluationTrigger')))
			node.disabled = true;
	},
	begin: ({ sandbox }) => {
		for (const email of people(2))
			sandbox.a.answer({
				email,
				campaignId: '64a000000000000000000003',
				score: 2,
				comment: 'Too dear',
			});
	},
	happens: async (play) => {
		const { a } = play.world.sandbox;
		const list = a.state.feedback.map(({ id, comment, email, score }) => ({
			id,
			comment,
			email,
			score,
		}));
		await play.start('Feedback Comes In', list);
		await play.start('Every Hour');
	},
	done: ({ world }) =>
		world.sandbox.a.state.feedback.flatMap(({ email, feedbackTopics }) =>
			(feedbackTopics ?? []).map(() => `topic ${email}`),
		),
	expected: each('topic', people(2)),
};

export const REPLY = 'We are sorry. <b>Really</b>, 😀';

export const agentTriage: Story = {
	name: 'agent-triage',
	script: [
		{ tool: /find/i, input: () => ({}) },
		{ tool: /tag/i, input: () => ({ tagName: 'pricing' }) },
		{ tool: /reply/i, input: () => ({ toolParameters: { message: REPLY }, hitlParameters: {} }) },
		{ says: 'Done.' },
	],
	happens: async (play) => {
		answerB(2, 'Slow')(play);
		void approveMails(play);
	},
	done: repliesOfB,
	expected: ['reply'],
};

/** Clicks Approve in each mail, until the story ends. */
async function approveMails(play: Play): Promise<void> {
	const { world, ids } = play;
	const clicked = new Set<string>();
	while (play.ids === ids) {
		for (const message of world.mailbox.messages) {
			const links =
				unwrapped(message).match(/https?:\/\/[^\s"'<>]*webhook-waiting[^\s"'<>]*/g) ?? [];
			const link = links.find((one) => /approved=true/.test(one));
			if (link === undefined || clicked.has(message)) continue;
			const states = await Promise.all(ids.map(async (id) => await host.n8n.executions(id))).catch(
				() => [],
			);
			if (!states.flat().some(({ status }) => status === 'waiting')) continue;
			clicked.add(message);
			await click(link).catch(() => undefined);
		}
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
}

export const erase: Story = {
	name: 'erase-person',
	begin: ({ sandbox }: World) => {
		sandbox.b.answer({ email: 'erased@days.example', campaignId: 101, score: 2, comment: 'No' });
		sandbox.a.answer({
			email: 'erased@days.example',
			campaignId: '64a000000000000000000003',
			score: 2,
		});
	},
	happens: async (play) => {
		const form = new FormData();
		form.append('field-0', 'erased@days.example');
		await play.submit('Erase a Person', form);
		void approveMails(play);
	},
	done: ({ world }) => {
		const { a, b } = world.sandbox;
		const isGone = (list: Iterable<{ email: string }>) =>
			![...list].some(({ email }) => email === 'erased@days.example');
		return [
			...(isGone(a.state.customers.values()) ? ['gone from A'] : []),
			...(isGone(b.state.contacts.values()) ? ['gone from B'] : []),
			...(b.state.feedback.length === 0 ? ['no feedback in B'] : []),
			...new Set(
				world.mailbox.messages
					.map(unwrapped)
					.filter((one) => /Subject: (Not all e|E)rased/.test(one))
					.map(() => 'receipt'),
			),
		];
	},
	expected: ['gone from A', 'gone from B', 'no feedback in B', 'receipt'],
};

/** Opens the working hours at all times. */
function alwaysOpen({ nodes }: WorkflowInput): void {
	const values: Record<string, unknown> = {
		'defaults.campaign': CAMPAIGN,
		workDays: '[1, 2, 3, 4, 5, 6, 7]',
		fromHour: 0,
		toHour: 24,
	};
	for (const { name, parameters } of nodes) {
		if (!['Defaults', 'Settings'].includes(name)) continue;
		for (const field of Object(parameters).assignments.assignments) {
			field.value = values[field.name] ?? field.value;
		}
	}
}

export const queue: Story = {
	name: 'survey-queue',
	files: ['survey-queue', 'survey-queue-sender'],
	change: alwaysOpen,
	happens: async (play) => {
		await play.post('queue-a-survey', { people: people(2).map((email) => ({ email })) });
		await play.settle();
		await play.start('Every Hour');
	},
	done: surveysOfA,
	expected: each('survey', people(2)),
};

/** The same with Survey B. */
export const queueB: Story = {
	...queue,
	happens: async (play) => {
		const byB = people(2).map((email) => ({ email, service: 'B', campaign: '101' }));
		await play.post('queue-a-survey', { people: byB });
		await play.settle();
		await play.start('Every Hour');
	},
	done: surveysOfB,
};
