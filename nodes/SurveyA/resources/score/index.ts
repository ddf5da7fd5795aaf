import type { Resource } from '../../../shared/node';
import { get } from './get';

export const score: Resource = {
	name: 'Score',
	operations: { get },
};
