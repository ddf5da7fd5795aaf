import type { Resource } from '../../../shared/node';
import { create } from './create';
import { deleteCommonReply } from './delete';
import { getAll } from './getAll';

export const commonReply: Resource = {
	name: 'Common Reply',
	operations: { getAll, create, delete: deleteCommonReply },
};
