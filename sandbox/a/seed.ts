import {
	feedbackRecord,
	markResponded,
	outboxRecord,
	type Campaign,
	type Customer,
	type Feedback,
	type Property,
} from './records';
import { DAY_MS } from '../core/clock';
import { scoreType } from '../core/rating';
import { findCustomer, nextId, type StateA } from './state';
import { companyNamed, placeCustomer } from './writing';

const COMMENTS = [
	'Support never called back.',
	'The new release is slow.',
	'Fine, but a bit pricey.',
	'Does what it should.',
	'We would not work without it.',
];

function seedCampaigns(state: StateA): void {
	const template = (name: string, channel: string, metric: string) => {
		const created = { id: nextId(state), name, channel, metric };
		state.templates.push(created);
		return created;
	};
	const nps = template('Relationship NPS', 'EMAIL', 'NPS');
	const csat = template('Support CSAT', 'EMAIL', 'CSAT');
	const campaign = (name: string, type: string, isActive: boolean, by: typeof nps) => {
		const { id: templateId, metric, channel } = by;
		state.campaigns.push({ id: nextId(state), name, isActive, templateId, metric, type, channel });
	};
	campaign('After purchase', 'transactional', true, nps);
	campaign('After support ticket', 'transactional', true, csat);
	campaign('After onboarding', 'transactional', false, nps);
	campaign('Yearly check-up', 'regular', true, nps);
}

function pick<Item>(items: Item[], index: number): Item | undefined {
	return items[index % items.length];
}

const INDUSTRIES = ['Software', 'Retail', 'Logistics', 'Health'];

/** Adds companies, `Company 1` and on. */
export function seedCompanies(state: StateA, count: number): void {
	for (let index = 0; index < count; index++) {
		const number = ++state.seeded.companies;
		const company = companyNamed(state, `Company ${number}`, state.clock.seeded());
		company.industryName = pick(INDUSTRIES, number) ?? '';
		company.domain = `company-${number}.example`;
		company.cxMetrics = { NPS: (number * 7) % 101, CSAT: null, CES: null, STAR: null };
	}
}

/** Adds customers, `customer1@example.com` and on. */
export function seedCustomers(state: StateA, count: number): Customer[] {
	return Array.from({ length: count }, () => {
		const number = ++state.seeded.customers;
		const input = {
			email: `customer${number}@example.com`,
			first_name: `First ${number}`,
			last_name: `Last ${number}`,
			tags: number % 2 ? ['trial'] : ['paying', 'eu'],
		};
		return placeCustomer(state, input, state.clock.seeded());
	});
}

/** Adds records to a list, from the customers and campaigns in turn. */
function add<Row>(
	state: StateA,
	list: Row[],
	count: number,
	make: (customer: Customer, campaign: Campaign, number: number) => Row,
): void {
	const customers = [...state.customers.values()];
	for (let index = 0; index < count; index++) {
		const number = list.length;
		const customer = pick(customers, number);
		const campaign = pick(state.campaigns, number);
		if (customer && campaign) list.push(make(customer, campaign, number));
	}
}

/** Adds feedback. */
export function seedFeedback(state: StateA, count: number): void {
	add(state, state.feedback, count, (customer, campaign, number) => {
		const comment = pick(COMMENTS, number) ?? '';
		const answer = { score: (number * 7) % 11, comment };
		const createdDate = state.clock.seeded();
		return feedbackRecord(customer, campaign, { id: nextId(state), createdDate, ...answer });
	});
}

/** Adds sent surveys to the outbox; every second one is answered. */
export function seedOutbox(state: StateA, count: number): void {
	add(state, state.outbox, count, (customer, campaign, number) => {
		const at = state.clock.seeded();
		const survey = outboxRecord(customer, campaign, at, number % 3 ? 'autoreply' : 'manual');
		survey.status = 'OPENED';
		if (number % 2) markResponded(survey, at, true);
		return survey;
	});
}

/** Adds a survey to the outbox for each customer, sent by a campaign `daysAgo` days ago. */
export function seedSurveyed(
	state: StateA,
	customers: Customer[],
	{ campaign, daysAgo }: { campaign: Campaign; daysAgo: number },
): void {
	const first = Date.now() - daysAgo * DAY_MS;
	customers.forEach((customer, index) => {
		const sentDate = new Date(first + index).toISOString();
		state.outbox.push(outboxRecord(customer, campaign, sentDate, 'manual'));
	});
}

/** One property of every type that the contract has. */
const PROPERTIES: Property[] = [
	{ label: 'Language', name: 'language', type: 'text', value: 'en' },
	{ label: 'Account Manager', name: 'account_manager', type: 'string', value: 'Ada' },
	{ label: 'Renewal Date', name: 'renewal_date', type: 'date', value: '2026-12-31T00:00:00.000Z' },
	{ label: 'Seats', name: 'seats', type: 'integer', value: 25 },
	{ label: 'Products', name: 'products', type: 'collection', value: ['Analytics', 'Export'] },
	{ label: 'Beta Tester', name: 'beta_tester', type: 'boolean', value: true },
];

function seedPeople(state: StateA): void {
	const people: Array<[email: string, first: string, last: string, company: string]> = [
		['ada@acme.example', 'Ada', 'Lovelace', 'Acme'],
		['grace@acme.example', 'Grace', 'Hopper', 'Acme'],
		['alan@globex.example', 'Alan', 'Turing', 'Globex'],
		['edsger@initech.example', 'Edsger', 'Dijkstra', 'Initech'],
	];
	for (const [email, first_name, last_name, company] of people) {
		placeCustomer(state, { email, first_name, last_name, company }, state.clock.seeded());
	}
	const ada = findCustomer(state, 'ada@acme.example');
	if (ada) ada.properties = [{ label: 'Plan', name: 'plan', type: 'text', value: 'Team' }];
	const grace = findCustomer(state, 'grace@acme.example');
	if (grace) grace.properties = PROPERTIES.map((property) => ({ ...property }));
}

function seedFirstCompanies(state: StateA): void {
	for (const name of ['Acme', 'Globex', 'Initech']) {
		companyNamed(state, name, state.clock.seeded()).industryName = 'Software';
	}
}

/** Tags and topics of the first feedback records, by score type. */
const DETAILS = {
	promoter: { tags: ['reference'], topics: [{ name: 'Product', sentiment: 'positive' }] },
	passive: {
		tags: ['pricing'],
		topics: [
			{ name: 'Price', sentiment: 'neutral' },
			{ name: 'Product', sentiment: 'positive' },
		],
	},
	detractor: {
		tags: ['support', 'at risk'],
		topics: [{ name: 'Support', sentiment: 'negative' }],
	},
};

/** Adds answers, topics, and tags to the first feedback records; detractors also get a note. */
function enrichFeedback(feedback: Feedback): void {
	const { score, createdDate: date, metricsType } = feedback;
	const { tags, topics } = DETAILS[scoreType(score)];
	const ease = Math.min(5, 1 + Math.floor(score / 2));
	const feature = score >= 7 ? 'Reports' : 'Export';
	const [easy, most] = ['How easy was it to get started?', 'Which feature do you use most?'];
	feedback.additionalQuestions = [
		{ type: 'RATING', questionText: easy, metricsType, answer: ease },
		{ type: 'MULTIPLE_OPTIONS', questionText: most, answer: feature },
	];
	feedback.feedbackTopics = topics.map((topic) => ({ ...topic }));
	feedback.feedbackTags = [...tags];
	feedback.feedbackTagsNew = [...tags];
	feedback.jobTitle = 'Head of Operations';
	if (scoreType(score) !== 'detractor') return;
	feedback.notes = [{ author: 'agent@example.com', content: 'Called back.', metricsType, date }];
	feedback.assigned = 'agent@example.com';
}

/** Creates the records that every test and the demo start with. */
export function seed(state: StateA): StateA {
	seedCampaigns(state);
	seedFirstCompanies(state);
	seedPeople(state);
	seedFeedback(state, 8);
	state.feedback.forEach(enrichFeedback);
	seedOutbox(state, 8);
	return state;
}
