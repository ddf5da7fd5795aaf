import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic } from '../../support/columns';
import { useRunner as useRunnerA } from '../surveyA/runner';
import { useRunner as useRunnerB } from '../surveyB/runner';

// Rows as CRMs and spreadsheets export them, and what the services must receive of them, byte by byte.

/** The workflow's time zone. */
const ZONE = 'Europe/Berlin';

interface Export {
	row: IDataObject;
	options?: INodeParameters;
	/** The type that the mapper shows for a column. */
	shown?: Record<string, 'dateTime' | 'string' | 'number'>;
	/** The customer and the contact in the body of the request. */
	a: string;
	b: string;
	/** The hints in the editor, for Survey A. */
	hints: string[];
}

const EXPORTS: Record<string, Export> = {
	HubSpot: {
		row: {
			id: '151',
			createdAt: '2026-01-02T10:00:00.000Z',
			updatedAt: '2026-02-02T10:00:00.000Z',
			archived: false,
			email: 'ann@acme.example',
			firstname: 'Ann',
			lastname: 'Lee',
			company: 'Acme',
			lifecyclestage: 'customer',
			num_notes: '3',
			closedate: '2026-11-21T00:00:00Z',
		},
		a: '{"email":"ann@acme.example","first_name":"Ann","last_name":"Lee","company":"Acme","properties":[{"label":"id","type":"string","value":"151"},{"label":"archived","type":"boolean","value":false},{"label":"lifecyclestage","type":"string","value":"customer"},{"label":"num_notes","type":"string","value":"3"},{"label":"closedate","type":"date","value":"2026-11-21T00:00:00.000Z"}]}',
		b: '{"email":"ann@acme.example","first_name":"Ann","last_name":"Lee","attributes":{"id":"151","archived":false,"company":"Acme","lifecyclestage":"customer","num_notes":"3","closedate":"2026-11-21"}}',
		hints: [
			'Columns that were not sent: createdAt, updatedAt',
			'Sent to Survey A as new: id (text), archived (boolean), lifecyclestage (text), num_notes (text), closedate (date)',
		],
	},
	Salesforce: {
		row: {
			attributes: { type: 'Contact', url: '/services/data/v59.0/sobjects/Contact/003A' },
			Id: '003A',
			Email: 'ann@acme.example',
			FirstName: 'Ann',
			LastName: 'Lee',
			HasOptedOutOfEmail: false,
			LastActivityDate: '2026-11-20',
			AnnualRevenue: 1200.5,
			Phone: null,
		},
		a: '{"email":"ann@acme.example","first_name":"Ann","last_name":"Lee","properties":[{"label":"Id","type":"string","value":"003A"},{"label":"LastActivityDate","type":"date","value":"2026-11-20T00:00:00.000Z"},{"label":"AnnualRevenue","type":"string","value":"1200.5"}]}',
		b: '{"email":"ann@acme.example","first_name":"Ann","last_name":"Lee","attributes":{"Id":"003A","LastActivityDate":"2026-11-20","AnnualRevenue":1200.5}}',
		hints: [
			'Columns that were not sent: attributes',
			'Sent to Survey A as new: Id (text), LastActivityDate (date), AnnualRevenue (text)',
		],
	},
	Pipedrive: {
		row: {
			id: 5,
			first_name: 'Ann',
			last_name: 'Lee',
			email: [{ value: 'ann@acme.example', primary: true, label: 'work' }],
			org_name: 'Acme',
			add_time: '2026-11-20 09:15:00',
			open_deals_count: 2,
		},
		options: { emailColumn: '={{ $json.email[0].value }}' },
		a: '{"email":"ann@acme.example","first_name":"Ann","last_name":"Lee","properties":[{"label":"id","type":"integer","value":5},{"label":"org_name","type":"string","value":"Acme"},{"label":"add_time","type":"date","value":"2026-11-20T08:15:00.000Z"},{"label":"open_deals_count","type":"integer","value":2}]}',
		b: '{"email":"ann@acme.example","first_name":"Ann","last_name":"Lee","attributes":{"id":5,"org_name":"Acme","add_time":"2026-11-20T09:15:00","open_deals_count":2}}',
		hints: [
			'Columns that were not sent: email',
			'Sent to Survey A as new: id (integer), org_name (text), add_time (date), open_deals_count (integer)',
		],
	},
	Stripe: {
		row: {
			id: 'cus_9',
			object: 'customer',
			email: 'ann@acme.example',
			name: 'Ann Lee',
			balance: 0,
			created: 1741084200,
			delinquent: false,
			metadata: { plan: 'pro' },
		},
		shown: { created: 'dateTime' },
		a: '{"email":"ann@acme.example","properties":[{"label":"id","type":"string","value":"cus_9"},{"label":"object","type":"string","value":"customer"},{"label":"name","type":"string","value":"Ann Lee"},{"label":"balance","type":"integer","value":0},{"label":"created","type":"date","value":"2025-03-04T10:30:00.000Z"},{"label":"delinquent","type":"boolean","value":false}]}',
		b: '{"email":"ann@acme.example","attributes":{"id":"cus_9","object":"customer","name":"Ann Lee","balance":0,"created":"2025-03-04T10:30:00Z","delinquent":false}}',
		hints: [
			'Columns that were not sent: metadata',
			'Sent to Survey A as new: id (text), object (text), name (text), balance (integer), delinquent (boolean)',
		],
	},
	'Google Sheets': {
		row: {
			row_number: 2,
			Email: ' ann@acme.example',
			'First Name': 'Ann',
			Plan: 'Team',
			Seats: 12,
			Zip: '01067',
			Renewal: '2027-03-04',
			Notes: '',
		},
		a: '{"email":"ann@acme.example","first_name":"Ann","properties":[{"label":"Plan","type":"string","value":"Team"},{"label":"Seats","type":"integer","value":12},{"label":"Zip","type":"string","value":"01067"},{"label":"Renewal","type":"date","value":"2027-03-04T00:00:00.000Z"}]}',
		b: '{"email":"ann@acme.example","first_name":"Ann","attributes":{"Plan":"Team","Seats":12,"Zip":"01067","Renewal":"2027-03-04"}}',
		hints: [
			'Columns that were not sent: row_number',
			'Sent to Survey A as new: Zip (text), Renewal (date)',
		],
	},
	Mailchimp: {
		row: {
			'Email Address': 'ann@acme.example',
			'First Name': 'Ann',
			'Last Name': 'Lee',
			MEMBER_RATING: 2,
			OPTIN_TIME: '2026-01-02 10:30:00',
			TAGS: '"VIP","Blog, EU"',
		},
		a: '{"email":"ann@acme.example","first_name":"Ann","last_name":"Lee","tags":["VIP","Blog, EU"],"properties":[{"label":"MEMBER_RATING","type":"integer","value":2},{"label":"OPTIN_TIME","type":"date","value":"2026-01-02T09:30:00.000Z"}]}',
		b: '{"email":"ann@acme.example","first_name":"Ann","last_name":"Lee","attributes":{"MEMBER_RATING":2,"OPTIN_TIME":"2026-01-02T10:30:00","TAGS":"\\"VIP\\",\\"Blog, EU\\""}}',
		hints: ['Sent to Survey A as new: MEMBER_RATING (integer), OPTIN_TIME (date)'],
	},
	'CSV in French': {
		row: {
			Email: 'ann@acme.example',
			Prénom: 'Anne',
			Société: 'Société Générale',
			'Date de fin': '31/12/2026',
			Montant: '1 234,56',
			Actif: 'oui',
		},
		options: { dateOrder: 'dayFirst' },
		shown: { 'Date de fin': 'dateTime' },
		a: '{"email":"ann@acme.example","properties":[{"label":"Prénom","type":"string","value":"Anne"},{"label":"Société","type":"string","value":"Société Générale"},{"label":"Date de fin","type":"date","value":"2026-12-31T00:00:00.000Z"},{"label":"Montant","type":"string","value":"1 234,56"},{"label":"Actif","type":"string","value":"oui"}]}',
		b: '{"email":"ann@acme.example","attributes":{"Date de fin":"2026-12-31","Montant":"1 234,56","Actif":"oui"}}',
		hints: ['Sent to Survey A as new: Prénom (text), Société (text), Montant (text), Actif (text)'],
	},
	Postgres: {
		row: {
			id: 7,
			email: 'ann@acme.example',
			renewal: new Date('2027-03-03T23:00:00Z'),
			created: new Date('2026-01-02T09:30:00Z'),
			score: '9.50',
			tags: ['a', 'b, c'],
			profile: { plan: 'pro' },
		},
		a: '{"email":"ann@acme.example","tags":["a","b, c"],"properties":[{"label":"id","type":"integer","value":7},{"label":"renewal","type":"date","value":"2027-03-04T00:00:00.000Z"},{"label":"created","type":"date","value":"2026-01-02T09:30:00.000Z"},{"label":"score","type":"string","value":"9.50"}]}',
		b: '{"email":"ann@acme.example","attributes":{"id":7,"renewal":"2027-03-04","created":"2026-01-02T09:30:00Z","tags":["a","b, c"]}}',
		hints: [
			'Columns that were not sent: profile',
			'Sent to Survey A as new: id (integer), renewal (date), created (date), score (text)',
		],
	},
};

/** Returns the parameters of Send for an export, with the columns that the mapper shows. */
function sending(prefix: string, { options, shown = {} }: Export, more: INodeParameters) {
	const columns = Object.entries(shown).map(([name, type]) => {
		return { id: `${prefix}:${name}`, displayName: name, type };
	});
	return {
		...{ resource: 'survey', operation: 'send' },
		...automatic([{ id: 'email', type: 'string' }, ...columns]),
		options: { ...options, ...more },
	};
}

const runnerA = useRunnerA();
const runnerB = useRunnerB();

describe.each(Object.entries(EXPORTS))('a row of %s', (_, exported) => {
	const more = { input: [exported.row], timezone: ZONE };

	test('arrives in Survey A with its own names and types', async () => {
		const campaign = runnerA.campaign('After purchase');
		const parameters = { ...sending('property', exported, {}), campaign };
		const { error, hints } = await runnerA.run('survey.send', parameters, more);
		expect(error).toBeUndefined();
		const written = runnerA.service.requests.filter(({ method }) => method === 'POST');
		expect(written.map(({ rawBody }) => rawBody)).toEqual([
			`{"campaign":"${campaign}","subscribers":[${exported.a}]}`,
		]);
		expect(hints).toEqual(exported.hints);
	});

	test('arrives in Survey B with its own names and types', async () => {
		const columns = sending('attribute', exported, {});
		const parameters = { ...columns, campaignId: '101' };
		const { error } = await runnerB.run('survey.send', parameters, more);
		expect(error).toBeUndefined();
		const bodies = runnerB.service.requests.map(({ rawBody }) => rawBody);
		expect(bodies).toEqual([`{"campaign_id":101,"contact":${exported.b}}`]);
	});
});
