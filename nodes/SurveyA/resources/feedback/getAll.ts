import type { IDataObject } from 'n8n-workflow';

import { hasEmail } from '../../../shared/parameters/emails';
import { collection, optionalId, optionalLocator } from '../../../shared/parameters/schemas';
import { list } from '../../../shared/operations/list';
import { get, path } from '../../../shared/http/request';
import {
	emailFilter,
	filters,
	periodFilters,
	periodInput,
	sortByDate,
	sortInput,
} from '../../parameters/fields';
import { momentIn } from '../../records/moment';
import { simplifyFeedback, simplifiedFeedbackRecord } from '../../records/feedback';
import { campaignFilter, customerFilter } from '../../parameters/locators';
import { dateOrderField } from '../../../shared/parameters/fields';

interface Wanted {
	email?: string;
	customerId?: string;
	startDate?: number;
	endDate?: number;
}

/** `GET /api/v2/feedback`, or `GET /api/v2/feedback/{campaignId}` for the feedback of a campaign. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many feedback',
	description:
		'Get feedback responses with score, comment, customer and campaign, by customer, campaign or date',
	fields: [filters([campaignFilter, customerFilter, emailFilter, ...periodFilters])],
	options: [dateOrderField, sortByDate],
	input: () => ({
		filters: collection({
			email: optionalId,
			customerId: optionalLocator,
			campaignId: optionalLocator,
			...periodInput,
		}),
		options: sortInput,
	}),
	outputSchema: simplifiedFeedbackRecord,
	simplify: simplifyFeedback,

	request: ({ filters: { campaignId, ...wanted }, options: { sort } }) =>
		get(campaignId ? path`/api/v2/feedback/${campaignId}` : '/api/v2/feedback', {
			...wanted,
			sort,
		}),
	rowsKey: 'responses',
	pageSize: 1000,
	// The contract shows no filters on a campaign's feedback: a server may pass them over.
	keeps: ({ filters: { campaignId, ...wanted } }) => {
		const isSure = campaignId === undefined || isEmpty(wanted);
		return isSure ? undefined : (feedback) => isWanted(feedback, wanted);
	},
	// Nor does it show paging there: then all feedback is read, and the campaign's is kept.
	otherwise: ({ filters: { campaignId, ...wanted }, options: { sort } }) =>
		campaignId === undefined
			? undefined
			: {
					request: get('/api/v2/feedback', { ...wanted, sort }),
					keeps: (feedback) => feedback.campaignId === campaignId && isWanted(feedback, wanted),
				},
});

function isEmpty(wanted: Wanted): boolean {
	return Object.values(wanted).every((value) => value === undefined);
}

function isWanted(
	feedback: IDataObject,
	{ email, customerId, startDate, endDate }: Wanted,
): boolean {
	// In whole seconds, as the bounds are. What has no date that can be read is not held back.
	const time = Math.floor((momentIn(feedback.createdDate) ?? NaN) / 1000);
	return (
		(email === undefined || hasEmail(email)(feedback)) &&
		(customerId === undefined || feedback.customerId === customerId) &&
		!(startDate !== undefined && time < startDate) &&
		!(endDate !== undefined && time > endDate)
	);
}
