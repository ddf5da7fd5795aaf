import { get } from '../../shared/http/request';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { boolean, fields, record, string } from '../../shared/records';
import { deprecatedFor } from '../parameters/common';

export const campaignResource: Resource = {
	/** `GET /api/v2/campaigns`: all campaigns in one response. */
	getAll: list({
		action: 'Get many campaigns',
		description: 'Get campaigns',
		details: 'Deleted campaigns are left out',
		outputSchema: record({
			id: string,
			name: string,
			isActive: boolean,
			...fields(string, 'templateId', 'metric', 'type', 'channel'),
		}),

		request: () => get('/api/v2/campaigns'),
		recordsKey: 'campaigns',
	}),

	/** `GET /api/v2/nps/campaigns`: a bare array of the active transactional campaigns; 404 for none. */
	getAllLegacy: list({
		action: 'Get many campaigns by deprecated endpoint',
		...deprecatedFor('Get Many'),
		details: 'value is the name',
		outputSchema: record({ id: string, value: string }),

		request: () => get('/api/v2/nps/campaigns'),
		emptyMessage: /no transactional nps campaign/i,
	}),
};
