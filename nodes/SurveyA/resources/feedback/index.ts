import type { Resource } from '../../../shared/node';
import { get } from './get';
import { getAll } from './getAll';
import { getAllLegacy } from './getAllLegacy';
import { setTags } from './setTags';
import { setTagsLegacy } from './setTagsLegacy';
import { setTopics } from './setTopics';

export const feedback: Resource = {
	name: 'Feedback',
	default: 'getAll',
	operations: { get, getAll, getAllLegacy, setTags, setTagsLegacy, setTopics },
};
