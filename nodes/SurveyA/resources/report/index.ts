import type { Resource } from '../../../shared/node';
import { get } from './get';
import { getAll } from './getAll';

export const report: Resource = {
	name: 'Report',
	default: 'getAll',
	operations: { get, getAll },
};
