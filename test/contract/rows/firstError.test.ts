import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic } from '../../support/columns';
import { useRunner } from '../surveyB/runner';

// Rows as they come from CRMs and webhooks, with the email where no column has it. What the error says is done to the letter, and
// the right person is surveyed.

const runner = useRunner();

const ANN = 'ann@acme.example';
const OTHER = 'sam@vendor.example';

/** The rows by their source. The person to survey is Ann. */
const ROWS: Record<string, IDataObject> = {
	'Salesforce case': { Id: '500A', ContactEmail: ANN, Owner: { Email: OTHER }, Status: 'Closed' },
	'Salesforce case with its contact': {
		attributes: { type: 'Case' },
		Contact: { attributes: { type: 'Contact' }, Email: ANN },
		CreatedBy: { Email: OTHER },
	},
	'HubSpot contact': { id: '151', properties: { email: ANN, firstname: 'Ann' }, archived: false },
	'HubSpot contact of the older API': { vid: 7, properties: { email: { value: ANN } } },
	'Intercom conversation': {
		type: 'conversation',
		contacts: { contacts: [{ id: '1', type: 'contact' }] },
		source: { author: { type: 'user', email: ANN }, delivered_as: 'customer_initiated' },
	},
	'Zendesk ticket': { id: 7, requester: { email: ANN }, assignee: { email: OTHER } },
	'Pipedrive person': { id: 5, name: 'Ann', emails: [{ value: ANN, primary: true }] },
	'Pipedrive deal': { id: 9, person_id: { email: [{ value: ANN }] }, owner_id: { email: OTHER } },
	'Zoho deal': { id: '9', Contact_Name: { id: '4', email: ANN }, Owner: { email: OTHER } },
	'Dynamics contact': { contactid: 'a-1', emailaddress1: ANN, ownerid: 'x' },
	'Shopify order': { id: 1, contact_email: ANN, customer: { email: ANN, id: 2 } },
	'Stripe charge': { id: 'ch_1', billing_details: { email: ANN }, amount: 1200 },
	'Stripe event': { type: 'invoice.paid', data: { object: { customer_email: ANN } } },
	'webhook body': { headers: { host: 'n8n.example' }, params: {}, query: {}, body: { email: ANN } },
	'webhook body with odd names': { headers: {}, body: { 'Work E-Mail': ANN } },
	'Calendly event': {
		payload: { email: ANN, scheduled_event: { event_memberships: [{ user_email: OTHER }] } },
	},
	'Typeform answers': { form_response: { hidden: { email: ANN }, answers: [{ type: 'text' }] } },
	'Airtable record': { id: 'rec1', createdTime: '2026-01-01', fields: { 'Contact Mail': [ANN] } },
	'Google Sheets': { row_number: 2, 'Work Email': ANN, Plan: 'Team' },
	'Pipedrive person with two addresses': {
		id: 5,
		email: [
			{ label: 'home', value: OTHER, primary: false },
			{ label: 'work', value: ANN, primary: true },
		],
	},
	'Zendesk ticket by email': {
		id: 7,
		via: { source: { to: { address: OTHER }, from: { address: ANN, name: 'Ann' } } },
	},
	'Gmail message to a team': { id: '18d', To: OTHER, Subject: 'Hi', From: `Ann <${ANN}>` },
	'Gmail message': { id: '18c', Subject: 'Hi', From: `Ann <${ANN}>`, replyTo: ANN },
};

const send = async (rows: IDataObject[], options: INodeParameters = {}) => {
	runner.service.requests.length = 0;
	const { items } = await runner.rows(
		'survey.send',
		{ campaignId: '101', ...automatic(), options },
		rows,
	);
	const surveyed = runner.bodies().map(({ contact }) => Object(contact).email);
	return { surveyed, error: String(items[0]?.error ?? '') };
};

/** Returns the values for Email Column that an error lists. */
const listed = (error: string) => {
	const [, paths = ''] =
		error.match(
			/Set Options → 'Email Column' to the one of the person: (.+?)(?:\. The columns|$)/,
		) ?? [];
	return paths.split(', ').map((path) => (path.startsWith('{{') ? `=${path}` : path));
};

test.each(Object.entries(ROWS))(
	'the error of a row of %s lists where it has addresses, and one of these surveys the person',
	async (_, row) => {
		const first = await send([row]);
		expect(first.surveyed).toEqual([]);
		const surveyed: unknown[] = [];
		for (const emailColumn of listed(first.error))
			surveyed.push(...(await send([row], { emailColumn })).surveyed);
		expect(surveyed).toContain(ANN);
		expect(surveyed.every((email) => email === ANN || email === OTHER)).toBe(true);
	},
);

test('the error of a row with several people lists each of them, and advises none', async () => {
	const guests = [{ email: ANN }, { email: OTHER }];
	const { error, surveyed } = await send([{ organizer: OTHER, body: { guests } }]);
	expect(surveyed).toEqual([]);
	expect(listed(error)).toEqual([
		'organizer',
		'={{ $json.body.guests[0].email }}',
		'={{ $json.body.guests[1].email }}',
	]);
});

test('the error of a row without any address says so, and what the row has', async () => {
	const { error } = await send([{ dealname: 'Acme', amount: '1200' }]);
	expect(error).toContain(
		"Column 'email' is not in the row. No value in this row is an email address. The columns are: dealname, amount",
	);
});

test('the error of a row without an email names the row, whose number begins with 0', async () => {
	const { items } = await runner.rows('survey.send', { campaignId: '101', ...automatic() }, [
		{ email: ANN },
		{ email: '' },
	]);
	expect(items[1]?.error).toContain(
		"Column 'email' is empty [item 1]. Fill it in, or remove the row",
	);
});

test('the error of a row whose email is blank advises no column that other rows have, too', async () => {
	const rows = [
		{ email: ANN, secondary_email: OTHER },
		{ email: '', secondary_email: OTHER },
	];
	const { items } = await runner.rows('survey.send', { campaignId: '101', ...automatic() }, rows);
	expect(items[1]?.error).toMatch(
		/Fill it in, or remove the row\. Other addresses are in secondary_email$/,
	);
});

test('with Map Each Column, the error says what to map to Email', async () => {
	const columns = { mappingMode: 'defineBelow', value: { email: '={{ $json.email }}' } };
	const input = [{ ContactEmail: ANN }];
	const { error } = await runner.run('survey.send', { campaignId: '101', columns }, { input });
	expect(error?.description).toContain(
		"Set the column 'Email' to the one of the person: {{ $json.ContactEmail }}",
	);
});
