import { campaign } from './campaign';
import { survey } from './survey';

/** Every operation of Survey A, by resource. The first resource is the one that a new node shows. */
export const resources = { survey, campaign };
