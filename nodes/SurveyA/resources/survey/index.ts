import type { Resource } from '../../../shared/node';
import { send } from './send';
import { sendAudienceLegacy } from './sendAudienceLegacy';
import { sendLegacy } from './sendLegacy';

export const survey: Resource = {
	name: 'Survey',
	operations: { send, sendAudienceLegacy, sendLegacy },
};
