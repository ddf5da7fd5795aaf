import type { Resource } from '../../../shared/node';
import { addTag } from './addTag';
import { get } from './get';
import { reply } from './reply';

export const feedback: Resource = {
	name: 'Feedback',
	operations: { addTag, get, reply },
};
