import type { INodeProperties } from 'n8n-workflow';

import { choice } from '../../shared/parameters/choices';

export const feedbackId: INodeProperties = {
	displayName: 'Feedback ID',
	name: 'feedbackId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 64b1f0c2a9d3e4f5a6b7c8d9',
};

/** What becomes of tags or topics that the feedback has already. */
export const mode: INodeProperties = {
	displayName: 'Mode',
	name: 'mode',
	type: 'options',
	options: [
		{ name: 'Append', value: 'append', description: 'Add to the existing ones' },
		{ name: 'Replace', value: 'replace', description: 'Replace the existing ones' },
	],
	default: 'replace',
};

export const modeInput = choice(mode);

/** Repeating an append would append twice; repeating a replacement changes nothing. */
export const effectOf = (mode: string) => (mode === 'append' ? 'notIdempotent' : 'idempotent');

/** The service replaces unless it is told otherwise. */
export const opOf = (mode: string) => (mode === 'append' ? mode : undefined);
