import { z } from 'zod/v4';

import { text } from './scalars';

/** Contract: Contact list. */
export const contactListRecord = () => z.looseObject({ id: z.number(), name: text() });
