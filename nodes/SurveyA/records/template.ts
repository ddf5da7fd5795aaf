import { z } from 'zod/v4';

import { text } from './scalars';

/** Contract: Template, new form. */
export const templateRecord = () =>
	z.looseObject({
		id: z.string(),
		name: text(),
		channel: text(),
		metric: text(),
	});

/** Contract: Template, deprecated form. */
export const legacyTemplateRecord = () => z.looseObject({ id: z.string(), value: text() });
