import { z } from 'zod/v4';

import { numeric, optional, record, string } from '../../shared/records';

/** Contract: Common reply. */
export const commonReplyRecord = record({
	id: z.number,
	title: string,
	reply: string,
	category: optional({ id: numeric, name: string }),
});
