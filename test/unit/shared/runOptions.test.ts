import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { readRunOptions } from '../../../nodes/shared/operations/run';
import { Parameters } from '../../../nodes/shared/fields/field';

// n8n 2.41 takes the `=` off an option that accepts no expression. Earlier versions evaluate the expression per row.

const OFFERED: INodeProperties[] = [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		default: {},
		options: [{ displayName: 'Send at Most', name: 'sendAtMost', type: 'number', default: 200 }],
	},
];

const optionsOf = (limits: number[]) => {
	const getNodeParameter = (_name: string, item: number, _default: unknown, options: object) =>
		'rawExpressions' in options ? '={{ $json.limit }}' : limits[item];
	const context = {
		getNodeParameter,
		getInputData: () => limits,
	} as unknown as IExecuteFunctions;
	return readRunOptions(new Parameters(context), OFFERED);
};

test('an option of the run that has one value in all rows is used', () => {
	expect(optionsOf([30, 30, 30]).sendAtMost).toBe(30);
});

test('an option of the run that differs between the rows fails before anything is sent', () => {
	expect(() => optionsOf([30, 30, 40])).toThrow(
		"'Send at Most' differs between the rows, but applies to the whole run",
	);
});
