import { deprecated } from '../../parameters/fields';
import { settingTags } from './setTags';

/** `POST /api/v2/nps/customers/response/tags`: the same body as its successor's, with or without tags. */
export const setTagsLegacy = settingTags(
	'/api/v2/nps/customers/response/tags',
	{
		name: 'Set Tags (Deprecated)',
		action: 'Set tags of feedback by deprecated endpoint',
		description: 'Replace or add tags, using the deprecated endpoint',
		fields: [deprecated("Survey A replaced this operation. Use 'Set Tags' instead.")],
	},
	false,
);
