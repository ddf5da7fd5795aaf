import type { Resource } from '../../../shared/node';
import { getAll } from './getAll';

export const campaign: Resource = {
	name: 'Campaign',
	operations: { getAll },
};
