import type { Resource } from '../../../shared/node';
import { getAll } from './getAll';

export const contactList: Resource = {
	name: 'Contact List',
	operations: { getAll },
};
