import { z } from 'zod';

import { text } from './scalars';

/** Contract: Template, new form. */
export const templateRecord = z
	.object({ id: z.string(), name: text, channel: text, metric: text })
	.passthrough();

/** Contract: Template, deprecated form. */
export const legacyTemplateRecord = z.object({ id: z.string(), value: text }).passthrough();
