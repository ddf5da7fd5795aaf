import { feedback } from './feedback';
import { survey } from './survey';

/** Every operation of Survey B, by resource. The first resource is the one that a new node shows. */
export const resources = { survey, feedback };
