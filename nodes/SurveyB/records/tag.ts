import { z } from 'zod/v4';

import { numeric, optional, record, string } from '../../shared/records';

/** Contract: Tag. */
export const tagRecord = record({ name: z.string, category: string });

const campaign = optional({ id: numeric, Name: string });

/** Contract: Events, tag.merged and tag.renamed. */
export const tagChangeRecord = record({ campaign, before: string, after: string });

/** Contract: Events, tag.removed. */
export const tagRemovalRecord = record({ campaign, name: string });
