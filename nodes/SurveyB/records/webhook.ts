import { z } from 'zod';

import { text } from './scalars';

/** Contract: Webhook subscription. */
export const webhookRecord = z.object({ id: z.number(), event: text, target: text }).passthrough();
