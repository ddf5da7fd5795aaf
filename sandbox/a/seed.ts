import type { Campaign, Customer, Feedback } from './records';
import { scoreType } from '../core/rating';
import { findCustomer, nextId, type StateA } from './state';
import { markResponded, outboxRecord } from './surveys';
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

/** Adds so many companies. */
export function seedCompanies(state: StateA, count: number): void {
	for (let index = 0; index < count; index++) {
		const number = ++state.seeded.companies;
		const company = companyNamed(state, `Company ${number}`, state.clock.seeded());
		company.industryName = pick(INDUSTRIES, number) ?? '';
		company.domain = `company-${number}.example`;
		company.cxMetrics = { NPS: (number * 7) % 101, CSAT: null, CES: null, STAR: null };
	}
}

/** Adds so many customers, `customer1@example.com` and on. */
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

/** What a customer answered to a campaign. */
export function feedbackRecord(
	customer: Customer,
	campaign: Campaign,
	answer: { id: string; createdDate: string; score: number; comment: string },
): Feedback {
	return {
		id: answer.id,
		customerId: customer.id,
		email: customer.email,
		firstName: customer.firstName,
		lastName: customer.lastName,
		companyName: customer.companyName,
		companyId: customer.companyId,
		jobTitle: null,
		country: 'Germany',
		state: '',
		city: 'Berlin',
		tags: customer.tags,
		customProps: customer.properties.map(({ name, type, value }) => ({
			name,
			type,
			value,
		})),
		campaignName: campaign.name,
		campaignId: campaign.id,
		createdDate: answer.createdDate,
		score: answer.score,
		comment: answer.comment,
		checkbox: false,
		additionalQuestions: [],
		feedbackTags: [],
		feedbackTopics: [],
		feedbackTagsNew: [],
		notes: [],
		status: 'new',
		assigned: null,
		ratingCategory: scoreType(answer.score),
		resolved: false,
		channel: campaign.channel,
		metricsType: campaign.metric,
		isBogus: false,
	};
}

/** Adds so many feedback, from the customers and campaigns in turn. */
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

/** Adds so many sent surveys, every second of them answered. */
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

function seedPeople(state: StateA): void {
	const people = [
		['ada@acme.example', 'Ada', 'Lovelace', 'Acme'],
		['grace@acme.example', 'Grace', 'Hopper', 'Acme'],
		['alan@globex.example', 'Alan', 'Turing', 'Globex'],
		['edsger@initech.example', 'Edsger', 'Dijkstra', 'Initech'],
	] as const;
	for (const [email, first_name, last_name, company] of people) {
		placeCustomer(state, { email, first_name, last_name, company }, state.clock.seeded());
	}
	const ada = findCustomer(state, 'ada@acme.example');
	if (ada) ada.properties = [{ label: 'Plan', name: 'plan', type: 'text', value: 'Team' }];
}

function seedFirstCompanies(state: StateA): void {
	for (const name of ['Acme', 'Globex', 'Initech']) {
		companyNamed(state, name, state.clock.seeded()).industryName = 'Software';
	}
}

/** The small world every test and the demo begin with. */
export function seed(state: StateA): StateA {
	seedCampaigns(state);
	seedFirstCompanies(state);
	seedPeople(state);
	seedFeedback(state, 8);
	seedOutbox(state, 8);
	return state;
}
