import { withRead } from './field';
import { choice, common, flag, integer, toggle } from './kinds';

export const returnAll = common(
	toggle({
		displayName: 'Return All',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
);

const limitField = integer({
	displayName: 'Limit',
	displayOptions: { show: { returnAll: [false] } },
	required: true,
	min: 1,
	default: 50,
	description: 'Max number of results to return',
});

/** n8n does not read a field that it does not show, such as when Return All is an expression. */
export const limit = common(
	withRead(limitField, (value, context) =>
		value === undefined ? 50 : limitField.read(value, context),
	),
);

export const dateOrder = common(
	choice({
		displayName: 'Date Order',
		options: [
			{ name: 'Day First', value: 'dayFirst', description: '3/4/2025 is April 3' },
			{ name: 'Month First', value: 'monthFirst', description: '3/4/2025 is March 4' },
		],
		description: 'How to read a date such as 3/4/2025. Without this option, such a date fails.',
	}),
);

/** Options that every run reads for itself. */
export const runOptions = {
	answersAsColumns: common(
		flag({
			displayName: 'Answers as Columns',
			description:
				'Whether to return each answer, property and attribute as a column. Properties end in (property), survey attributes in (survey).',
		}),
	),
	dryRun: common(
		flag({
			displayName: 'Dry Run',
			description: 'Whether to return the requests, but send nothing',
		}),
	),
};
