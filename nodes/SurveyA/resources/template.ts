import { get } from '../../shared/http/request';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { record, string } from '../../shared/records';
import { deprecatedFor } from '../parameters/common';

export const templateResource: Resource = {
	/** `GET /api/v2/templates`: all templates in one response. */
	getAll: list({
		action: 'Get many templates',
		description: 'Get survey templates',
		details: 'Deleted templates are left out',
		outputSchema: record({ id: string, name: string, channel: string, metric: string }),

		request: () => get('/api/v2/templates'),
		recordsKey: 'templates',
	}),

	/** `GET /api/v2/nps/templates`: a bare array. */
	getAllLegacy: list({
		action: 'Get many templates by deprecated endpoint',
		...deprecatedFor('Get Many'),
		details: 'value is the name',
		outputSchema: record({ id: string, value: string }),

		request: () => get('/api/v2/nps/templates'),
	}),
};
