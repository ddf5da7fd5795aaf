import {
	feedbackRecord,
	markResponded,
	outboxRecord,
	type AdditionalQuestion,
	type Campaign,
	type Customer,
	type Feedback,
	type Property,
	type Topic,
} from './records';
import { DAY_MS } from '../core/clock';
import { scoreType } from '../core/rating';
import { findCustomer, nextId, type StateA } from './state';
import { companyNamed, placeCustomer } from './writing';

type Rating = ReturnType<typeof scoreType>;

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

/** Adds feedback, from the customers and campaigns in turn. */
export function seedFeedback(state: StateA, count: number): void {
	const customers = [...state.customers.values()];
	for (let index = 0; index < count; index++) {
		const number = state.feedback.length;
		const customer = pick(customers, number);
		const campaign = pick(state.campaigns, number);
		if (!customer || !campaign) return;
		const answer = {
			id: nextId(state),
			createdDate: state.clock.seeded(),
			score: (number * 7) % 11,
			comment: pick(COMMENTS, number) ?? '',
		};
		state.feedback.push(feedbackRecord(customer, campaign, answer));
	}
}

/** Adds sent surveys to the outbox; every second one is answered. */
export function seedOutbox(state: StateA, count: number): void {
	const customers = [...state.customers.values()];
	for (let index = 0; index < count; index++) {
		const number = state.outbox.length;
		const customer = pick(customers, number);
		const campaign = pick(state.campaigns, number);
		if (!customer || !campaign) return;
		const at = state.clock.seeded();
		const survey = outboxRecord(customer, campaign, at, number % 3 ? 'autoreply' : 'manual');
		survey.status = 'OPENED';
		if (number % 2) markResponded(survey, at, true);
		state.outbox.push(survey);
	}
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

const TOPICS: Record<Rating, Topic[]> = {
	promoter: [{ name: 'Product', sentiment: 'positive' }],
	passive: [
		{ name: 'Price', sentiment: 'neutral' },
		{ name: 'Product', sentiment: 'positive' },
	],
	detractor: [{ name: 'Support', sentiment: 'negative' }],
};
const TAGS: Record<Rating, string[]> = {
	promoter: ['reference'],
	passive: ['pricing'],
	detractor: ['support', 'at risk'],
};

function additionalQuestions({ score, metricsType }: Feedback): AdditionalQuestion[] {
	return [
		{
			type: 'RATING',
			questionText: 'How easy was it to get started?',
			metricsType,
			answer: Math.min(5, 1 + Math.floor(score / 2)),
		},
		{
			type: 'MULTIPLE_OPTIONS',
			questionText: 'Which feature do you use most?',
			answer: score >= 7 ? 'Reports' : 'Export',
		},
	];
}

/** Adds answers, topics, and tags to the first feedback records; detractors also get a note. */
function enrichFeedback(feedback: Feedback): void {
	const { score, createdDate: date, metricsType } = feedback;
	const rating = scoreType(score);
	feedback.additionalQuestions = additionalQuestions(feedback);
	feedback.feedbackTopics = TOPICS[rating].map((topic) => ({ ...topic }));
	feedback.feedbackTags = [...TAGS[rating]];
	feedback.feedbackTagsNew = [...TAGS[rating]];
	feedback.jobTitle = 'Head of Operations';
	if (rating !== 'detractor') return;
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
