import { sending } from './send';

/** `POST /api/v2/nps/audience/survey`: the earlier path of the same endpoint. */
export const sendAudienceLegacy = sending('/api/v2/nps/audience/survey', {
	name: 'Send to Audience (Deprecated)',
	action: 'Send survey to audience by deprecated endpoint',
	description:
		'Send a survey to customers, using the deprecated path. Each customer gets an email or message, which cannot be undone. Returns the status of each.',
	notice: "Survey A will replace this operation. Use 'Send' instead.",
});
