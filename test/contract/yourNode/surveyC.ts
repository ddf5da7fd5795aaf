import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { isObject, objectWith, recordsOf, wholeNumber } from '../../../nodes/shared/base/json';
import { id, text } from '../../../nodes/shared/fields/fields';
import { get, post } from '../../../nodes/shared/http/request';
import type { Service } from '../../../nodes/shared/http/service';
import { execute, nodeProperties } from '../../../nodes/shared/node';
import { list } from '../../../nodes/shared/operations/list';
import type { Resource } from '../../../nodes/shared/operations/operation';
import { write } from '../../../nodes/shared/operations/write';
import { record, string } from '../../../nodes/shared/records';

// #region service
const surveyC: Service = {
	name: 'Survey C',
	credential: 'surveyCApi',
	authorization: (apiKey) => `Token ${apiKey}`,
	apiPath: /\/v1$/,
	credentialTest: { path: '/v1/people', recordsKey: 'people' },
	embeddedErrorStatus: () => undefined,
	messageIn: (body) => (isObject(body) && body.message ? String(body.message) : undefined),
	knownMessages: [],
	refusedRows: () => [],
	pageQuery: (page, size) => ({ page, size }),
	readPage(body, key) {
		const records = isObject(body) ? recordsOf(body[key]) : undefined;
		return records && isObject(body) ? { records, total: wholeNumber(body.total) } : undefined;
	},
};
// #endregion

// #region resource
const person = record({ id: string, email: string, name: string });

const personResource: Resource = {
	/** `GET /v1/people`. */
	getAll: list({
		action: 'Get many people',
		description: 'Get the people with their ID, email and name',
		outputSchema: person,

		request: () => get('/v1/people'),
		recordsKey: 'people',
		pageSize: 100,
	}),

	/** `POST /v1/people`: a second request adds a second person. */
	create: write({
		action: 'Create person',
		description: 'Add a person. Returns its ID.',
		fields: {
			email: id({ displayName: 'Email', required: true }),
			name: text({ displayName: 'Name' }),
		},
		outputSchema: person,

		request: ({ email, name }) => post('notIdempotent', '/v1/people', { email, name }),
		responseSchema: objectWith('id'),
		output: (created) => created,
	}),
};
// #endregion

// #region node
const resources = { person: personResource };

export class SurveyC implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey C',
		name: 'surveyC',
		group: ['transform'],
		version: 1,
		description: 'Read and add people of Survey C',
		defaults: { name: 'Survey C' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'surveyCApi', required: true }],
		properties: nodeProperties(resources, 'person'),
	};

	async execute(this: IExecuteFunctions) {
		return await execute(this, surveyC, resources);
	}
}
// #endregion
