import { z } from 'zod';

import { text } from './scalars';

/** Contract: Contact list. */
export const contactListRecord = z.object({ id: z.number(), name: text }).passthrough();
