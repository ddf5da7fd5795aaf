import { z } from 'zod/v4';

import { text, value } from './scalars';

/** Contract: Property. */
export const propertyRecord = () =>
	z.looseObject({ label: text(), name: text(), type: text(), value: value() });
