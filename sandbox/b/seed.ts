import type { Contact } from './records';
import { placeCommonReply } from './commonReplies';
import { placeContact } from './contacts';
import { feedbackRecord } from './feedback';
import type { CampaignOfB, WorldB } from './state';
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

/** 101 and 102 can be surveyed, 103 is not permitted, 104 has no contact list. */
function seedCampaigns({ state }: WorldB): void {
	state.campaigns.push(
		campaign(101, 'Relationship'),
		campaign(102, 'After support ticket'),
		{ ...campaign(103, 'Of another organization'), permitted: false },
		{ ...campaign(104, 'Without contact list', 'COMPLETE'), listId: null },
	);
}

/** Adds so many contacts, `contact1@example.com` and on. */
export function seedContacts({ state }: WorldB, count: number): Contact[] {
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

/** Adds so many feedback, from the contacts in turn, to campaigns 101 and 102. */
export function seedFeedback(world: WorldB, count: number): void {
	const { state } = world;
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
		const feedback = feedbackRecord(world, { contact, campaign, survey }, answer);
		survey.feedbackId = feedback.id;
		state.feedback.push(feedback);
	}
}

function seedPeople({ state }: WorldB): void {
	state.lists.push({ id: LIST_ID, name: `Default List for ${state.organization}` });
	state.lists.push({ id: LIST_ID + 1, name: 'Newsletter' });
	const people = [
		['ada@acme.example', 'Ada', 'Lovelace'],
		['grace@acme.example', 'Grace', 'Hopper'],
		['alan@globex.example', 'Alan', 'Turing'],
		['edsger@initech.example', 'Edsger', 'Dijkstra'],
	] as const;
	for (const [email, first_name, last_name] of people) {
		placeContact(state, { email, first_name, last_name }, state.clock.seeded());
	}
	const gone = { email: 'unsubscribed@example.com', first_name: 'Una', last_name: 'Subscribed' };
	placeContact(state, gone, state.clock.seeded()).unsubscribed = true;
}

/** The small world every test and the demo begin with. */
export function seed(world: WorldB): void {
	seedCampaigns(world);
	seedPeople(world);
	seedFeedback(world, 8);
	const { state } = world;
	placeCommonReply(state, { title: 'Thanks', reply: 'Thank you!', name: 'Promoters' });
	placeCommonReply(state, { title: 'Sorry', reply: 'We will fix it.', name: 'Detractors' });
}
