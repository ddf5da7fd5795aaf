import type { INodeProperties } from 'n8n-workflow';

import { choice, optionalChoice } from '../../../nodes/shared/parameters/choices';

const field: INodeProperties = {
	displayName: 'Metric',
	name: 'metric',
	type: 'options',
	options: [
		{ name: 'NPS', value: 'nps' },
		{ name: 'Star Rating', value: 'star' },
	],
	default: 'nps',
};

const refusal = (schema: ReturnType<typeof choice>, value: unknown) =>
	schema.safeParse(value).error?.issues[0]?.message;

test.each([
	['nps', 'nps'],
	['NPS', 'nps'],
	[' star rating ', 'star'],
	['STAR', 'star'],
])('%j is %s', (value, chosen) => {
	expect(choice(field).parse(value)).toBe(chosen);
	expect(optionalChoice(field).parse(value)).toBe(chosen);
});

test.each([['stars'], [7], [{}], [['nps', 'star']]])('%j is refused with the choices', (value) => {
	expect(refusal(choice(field), value)).toBe('must be one of: NPS, Star Rating');
});

test.each([[undefined], [null], ['']])('%j is missing, or left out', (value) => {
	expect(refusal(choice(field), value)).toBe('is missing');
	expect(optionalChoice(field).parse(value)).toBeUndefined();
});
