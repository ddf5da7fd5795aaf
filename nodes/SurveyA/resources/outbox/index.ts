import type { Resource } from '../../../shared/node';
import { getAll } from './getAll';

export const outbox: Resource = {
	name: 'Outbox',
	operations: { getAll },
};
