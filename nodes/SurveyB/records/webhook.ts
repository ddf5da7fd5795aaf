import { z } from 'zod/v4';

import { text } from './scalars';

/** Contract: Webhook subscription. */
export const webhookRecord = () => z.looseObject({ id: z.number(), event: text(), target: text() });
