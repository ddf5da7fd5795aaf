import type { Resource } from '../../../shared/node';
import { deleteCustomers } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { unsubscribe } from './unsubscribe';
import { upsert } from './upsert';

export const customer: Resource = {
	name: 'Customer',
	default: 'upsert',
	operations: { delete: deleteCustomers, get, getAll, unsubscribe, upsert },
};
