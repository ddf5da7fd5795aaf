import { withRead } from '../../shared/fields/field';
import type { Field } from '../../shared/fields/field';
import { choice, common, entries, locator, openChoice } from '../../shared/fields/kinds';
import { commonFields, PER_ROW } from '../../surveys/people';

export const basic = commonFields({
	feedbackId: '64b1f0c2a9d3e4f5a6b7c8d9',
	campaignId: '5f3c9a2b8d1e4f6a7b0c1d2e',
	sendable: {
		search: 'searchSendableCampaigns',
		description: `The list shows active transactional campaigns. ${PER_ROW} In-app surveys need the in-app script.`,
	},
});

const anyCustomer = {
	displayName: 'Customer',
	search: 'searchCustomers',
	by: { email: 'nathan@example.com', id: '64b1f0c2a9d3e4f5a6b7c8d9' },
	description: 'Enter a whole email to find any customer',
};

export const customer = locator({ ...anyCustomer, required: true });

export const customerFilter = locator({
	...anyCustomer,
	by: { id: anyCustomer.by.id },
	description: 'Only return feedback of this customer',
});

/** Reads `-createdDate` for the newest first. Without a value, the service decides the order. */
export function sortBy(fields: Array<{ name: string; value: string }>): Field<string | undefined> {
	const settings = {
		displayName: 'Sort',
		placeholder: 'Add sort rule',
		key: 'property',
		typeOptions: { multipleValues: false },
	};
	const rules = entries(settings, 'Rule', {
		field: openChoice({
			displayName: 'Sort By',
			required: true,
			options: fields,
		}),
		direction: choice({
			displayName: 'Direction',
			required: true,
			options: [
				{ name: 'Ascending', value: 'asc', description: 'Oldest, lowest or A first' },
				{ name: 'Descending', value: 'desc', description: 'Newest, highest or Z first' },
			],
			default: 'desc',
		}),
	});
	return withRead(rules, (value, context) => {
		const [sort] = rules.read(value, context);
		return sort && (sort.direction === 'desc' ? '-' : '') + sort.field;
	});
}

export const sortByDate = common(sortBy([{ name: 'Created Date', value: 'createdDate' }]));

export const deprecatedFor = (successor: string) => ({
	description: `Deprecated: use ${successor}`,
	deprecated: `The API documentation calls this endpoint deprecated. Use '${successor}' instead.`,
});
