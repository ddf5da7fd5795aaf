import { Failure } from '../shared/base/failure';
import { withRead } from '../shared/fields/field';
import type { Field } from '../shared/fields/field';
import { date, emailAddress, id, locator } from '../shared/fields/kinds';
import type { Column } from '../shared/mapping/shape';

export const personColumns: Column[] = [
	{
		id: 'email',
		displayName: 'Email',
		type: 'string',
		required: true,
		aliases: ['emailAddress'],
	},
	{ id: 'firstName', displayName: 'First Name', type: 'string' },
	{ id: 'lastName', displayName: 'Last Name', type: 'string' },
];

export const unsubscribed: Column = {
	id: 'unsubscribed',
	displayName: 'Unsubscribed',
	type: 'boolean',
};

export const idsOf = (columns: Column[]) => columns.map(({ id }) => id).join(', ');

/** The advice for a column that the table of opt-outs does not have. */
export const MAP_IT =
	"Map another column, or a question of a form, to Unsubscribed, such as {{ $json['May we contact you?'] === 'No' }}";

/** The end of the description of a campaign to send surveys for. */
export const PER_ROW = 'An expression that returns an ID chooses it per row, such as by language.';

interface OfService {
	/** Examples of IDs. */
	feedbackId: string;
	campaignId: string;
	/** The campaigns that the list shows, where it does not show all. */
	listed?: string;
	sendable: { search?: string; description: string };
}

/** The fields that operations of both services have. */
export function commonFields(service: OfService) {
	const email = { displayName: 'Email', placeholder: 'e.g. nathan@example.com' };
	const campaign = {
		displayName: 'Campaign',
		search: 'searchCampaigns',
		by: { id: service.campaignId },
	};
	const required = { ...campaign, required: true, description: service.listed } as const;
	return {
		email: emailAddress({ ...email, required: true }),
		emailFilter: emailAddress(email),
		feedbackId: id({
			displayName: 'Feedback ID',
			required: true,
			placeholder: `e.g. ${service.feedbackId}`,
		}),
		campaign: idOnly(locator(required)),
		sendableCampaign: idOnly(locator({ ...required, ...service.sendable })),
		campaignFilter: idOnly(locator(campaign)),
		period: {
			startDate: date({
				displayName: 'Start Date',
				description:
					'Only return feedback given on or after this moment; a date without a time begins in UTC',
			}),
			endDate: date({
				displayName: 'End Date',
				description: 'Only return feedback given before this moment',
			}),
		},
	};
}

/** IDs of Survey A are hexadecimal, mostly 24 digits, and those of Survey B are numbers. No ID is refused for its length. */
const ID = /^(?:[\da-f]{24}|(?=.*\d)[\da-f]+)$/i;

/** An expression may set a campaign or a list to its name. A service may ignore such a filter, and return everything. */
export function idOnly<Value extends string | undefined>(field: Field<Value>): Field<Value> {
	return withRead(field, (value, context) => {
		const id = field.read(value, context);
		if (id === undefined || ID.test(id)) return id;
		throw Failure.value('must be an ID, not a name', 'Choose it from the list, or enter its ID');
	});
}
