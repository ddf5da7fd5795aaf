import type { Resource } from '../../../shared/node';
import { getAll } from './getAll';
import { getAllLegacy } from './getAllLegacy';

export const campaign: Resource = {
	name: 'Campaign',
	operations: { getAll, getAllLegacy },
};
