import type { Resource } from '../../../shared/node';
import { addTag } from './addTag';
import { create } from './create';
import { deleteFeedback } from './delete';
import { forward } from './forward';
import { get } from './get';
import { getAll } from './getAll';
import { reply } from './reply';
import { updateStatus } from './updateStatus';

export const feedback: Resource = {
	name: 'Feedback',
	default: 'getAll',
	operations: {
		get,
		getAll,
		create,
		updateStatus,
		reply,
		forward,
		addTag,
		delete: deleteFeedback,
	},
};
