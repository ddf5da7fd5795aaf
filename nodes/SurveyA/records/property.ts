import { z } from 'zod';

import { text, value } from './scalars';

/** Contract: Property. */
export const propertyRecord = z
	.object({ label: text, name: text, type: text, value })
	.passthrough();
