import type { Resource } from '../../../shared/node';
import { get } from './get';
import { getAll } from './getAll';

export const metric: Resource = {
	name: 'Metric',
	default: 'getAll',
	operations: { get, getAll },
};
