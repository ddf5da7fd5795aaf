import { settingTags } from './setTags';

/** `POST /api/v2/nps/customers/response/tags`: the same body as its successor's. */
export const setTagsLegacy = settingTags('/api/v2/nps/customers/response/tags', {
	name: 'Set Tags (Deprecated)',
	action: 'Set tags of feedback by deprecated endpoint',
	description:
		'Replace or add tags, using the deprecated endpoint. Returns the feedback ID and the tags.',
	notice: "Survey A replaced this operation. Use 'Set Tags' instead.",
});
