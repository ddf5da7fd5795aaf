import { feedbackRecord, type Attributes, type Contact, type Feedback, type Tag } from './records';
import { placeCommonReply } from './commonReplies';
import { placeContact } from './contacts';
import { nextId, type CampaignOfB, type ContextB } from './state';
import { placeSurvey } from './surveys';

const COMMENTS = [
	'Support never called back.',
	'The new release is slow.',
	'Fine, but a bit pricey.',
	'Does what it should.',
	null,
];

const LIST_ID = 11;

function campaign(id: number, name: string, status = 'ACTIVE'): CampaignOfB {
	const launch_date = '2024-01-15T09:00:00Z';
	return { record: { id, name, launch_date, status }, permitted: true, listId: LIST_ID };
}

/** Campaigns 101 and 102 can send surveys, 103 is not permitted, 104 has no contact list. */
function seedCampaigns({ state }: ContextB): void {
	state.campaigns.push(
		campaign(101, 'Relationship'),
		campaign(102, 'After support ticket'),
		{ ...campaign(103, 'Of another organization'), permitted: false },
		{ ...campaign(104, 'Without contact list', 'COMPLETE'), listId: null },
	);
}

/** Adds contacts, `contact1@example.com` and on. */
export function seedContacts({ state }: ContextB, count: number): Contact[] {
	return Array.from({ length: count }, () => {
		const number = ++state.seeded.contacts;
		const person = {
			email: `contact${number}@example.com`,
			first_name: `First ${number}`,
			last_name: `Last ${number}`,
			attributes: { plan: number % 2 ? 'trial' : 'team' },
		};
		return placeContact(state, person, state.clock.seeded());
	});
}

/** Adds feedback from the contacts in turn, to campaigns 101 and 102. */
export function seedFeedback(context: ContextB, count: number): void {
	const { state } = context;
	const contacts = [...state.contacts.values()];
	const campaigns = state.campaigns.filter(({ permitted, listId }) => permitted && listId !== null);
	for (let index = 0; index < count; index++) {
		const number = state.seeded.feedback++;
		const contact = contacts[number % contacts.length];
		const campaign = campaigns[number % campaigns.length];
		if (!contact || !campaign) return;
		const to = { email: contact.email, campaignId: campaign.record.id, attributes: {} };
		const survey = placeSurvey(state, to, state.clock.seeded());
		const comment = COMMENTS[number % COMMENTS.length];
		const answer = { score: (number * 7) % 11, comment, at: state.clock.seeded() };
		const given = { contact, campaign: campaign.record, survey };
		const feedback = feedbackRecord({ id: nextId(state), url: context.url }, given, answer);
		survey.feedbackId = feedback.id;
		state.feedback.push(feedback);
	}
}

/** Attributes as JSON allows them: strings, an ISO date, numbers, a boolean. */
const ATTRIBUTES: Attributes = {
	plan: 'team',
	renewal_date: '2026-12-31',
	seats: 25,
	beta_tester: true,
};

function seedPeople({ state }: ContextB): void {
	state.lists.push({ id: LIST_ID, name: `Default List for ${state.organization}` });
	state.lists.push({ id: LIST_ID + 1, name: 'Newsletter' });
	const people: Array<[email: string, first: string, last: string, attributes?: Attributes]> = [
		['ada@acme.example', 'Ada', 'Lovelace'],
		['grace@acme.example', 'Grace', 'Hopper', ATTRIBUTES],
		['alan@globex.example', 'Alan', 'Turing'],
		['edsger@initech.example', 'Edsger', 'Dijkstra'],
	];
	for (const [email, first_name, last_name, attributes] of people) {
		placeContact(state, { email, first_name, last_name, attributes }, state.clock.seeded());
	}
	const unsubscribed = {
		email: 'unsubscribed@example.com',
		first_name: 'Una',
		last_name: 'Subscribed',
	};
	placeContact(state, unsubscribed, state.clock.seeded()).unsubscribed = true;
}

const TAGS: Record<Feedback['score_type'], Tag[]> = {
	promoter: [{ name: 'reference', category: 'PROMOTER' }],
	passive: [{ name: 'pricing', category: 'PASSIVE' }],
	detractor: [{ name: 'support', category: 'DETRACTOR' }],
};

/** Adds tags and survey attributes to the first feedback records. */
function enrichFeedback(feedback: Feedback, index: number): void {
	feedback.tags = TAGS[feedback.score_type].map((tag) => ({ ...tag }));
	Object.assign(feedback.survey.attributes, { ticket: 4711 + index, channel: 'support' });
}

/** Creates the records that every test and the demo start with. */
export function seed(context: ContextB): void {
	const { state } = context;
	seedCampaigns(context);
	seedPeople(context);
	seedFeedback(context, 8);
	state.feedback.forEach(enrichFeedback);
	placeCommonReply(state, { title: 'Thanks', reply: 'Thank you!', name: 'Promoters' });
	placeCommonReply(state, { title: 'Sorry', reply: 'We will fix it.', name: 'Detractors' });
}
