import type { Resource } from '../../../shared/node';
import { send } from './send';

export const survey: Resource = {
	name: 'Survey',
	operations: { send },
};
