import type { Resource } from '../../../shared/node';
import { getAll } from './getAll';
import { getAllLegacy } from './getAllLegacy';

export const template: Resource = {
	name: 'Template',
	operations: { getAll, getAllLegacy },
};
