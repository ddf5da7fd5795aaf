import type { Resource } from '../../../shared/node';
import { create } from './create';
import { deleteCommonReply } from './delete';
import { getAll } from './getAll';

export const commonReply: Resource = {
	name: 'Common Reply',
	default: 'getAll',
	operations: { getAll, create, delete: deleteCommonReply },
};
