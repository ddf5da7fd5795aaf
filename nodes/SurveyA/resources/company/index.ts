import type { Resource } from '../../../shared/node';
import { get } from './get';
import { getAll } from './getAll';

export const company: Resource = {
	name: 'Company',
	default: 'getAll',
	operations: { get, getAll },
};
