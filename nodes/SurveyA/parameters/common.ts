import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { withRead } from '../../shared/fields/field';
import type { Field } from '../../shared/fields/field';
import { choice, common, entry, flag, locator, openChoice } from '../../shared/fields/kinds';
import { commonFields, PER_ROW } from '../../surveys/people';
import { post } from '../../shared/http/request';

export const {
	email,
	emailFilter,
	feedbackId,
	campaign,
	sendableCampaign,
	campaignFilter,
	period,
} = commonFields({
	person: 'customer',
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

export const company = locator({
	displayName: 'Company',
	required: true,
	search: 'searchCompanies',
	by: { domain: 'example.com', id: '64b1f0c2a9d3e4f5a6b7c8d9' },
});

export const update = choice({
	displayName: 'Update',
	required: true,
	options: [
		{ name: 'Append', value: 'append', description: 'Add to the existing ones' },
		{ name: 'Replace', value: 'replace', description: 'Replace the existing ones' },
	],
	default: 'append',
});

/** The service replaces unless `op` says otherwise. */
export function setting(update: 'append' | 'replace', path: string, body: IDataObject) {
	if (update === 'replace') return post('idempotent', path, body);
	// Repeating an append adds twice.
	const lookAt = 'the tags and topics of the feedback response in Survey A';
	return post('notIdempotent', path, { ...body, op: update }, lookAt);
}

/** Reads `-createdDate` for the newest first. Without a value, the service decides the order. */
export function sortBy(fields: Array<{ name: string; value: string }>): Field<string | undefined> {
	const settings = { displayName: 'Sort', placeholder: 'Add sort rule', key: 'property' };
	const rule = entry(settings, 'Rule', {
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
	return withRead(rule, (value, context) => {
		const sort = rule.read(value, context);
		return sort && (sort.direction === 'desc' ? '-' : '') + sort.field;
	});
}

export const sortByDate = common(sortBy([{ name: 'Created Date', value: 'createdDate' }]));

export const deprecatedFor = (successor: string) => ({
	description: `Deprecated: use ${successor}`,
	deprecated: `The API documentation calls this endpoint deprecated. Use '${successor}' instead.`,
});

export function removeAll(plural: string) {
	return flag({
		displayName: 'Remove All',
		displayOptions: { show: { '/update': ['replace'] } },
		description: `Whether Replace without ${plural} removes all ${plural}. Without this option, such a row fails.`,
	});
}

/** @throws Failure for an item without entries, unless Remove All asks for it */
export function requireSome(
	label: string,
	count: number,
	update: 'append' | 'replace',
	isMeant = false,
): void {
	if (count > 0 || (update === 'replace' && isMeant)) return;
	const hint = `Enter ${label}, or add Options → 'Remove All' to remove all of them`;
	const failure = Failure.missing(update === 'replace' ? hint : undefined);
	throw Failure.at(label, undefined, failure);
}
