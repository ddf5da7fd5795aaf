import type { Resource } from '../../../shared/node';
import { deleteContact } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { unsubscribe } from './unsubscribe';
import { upsert } from './upsert';

export const contact: Resource = {
	name: 'Contact',
	default: 'upsert',
	operations: { upsert, get, getAll, unsubscribe, delete: deleteContact },
};
