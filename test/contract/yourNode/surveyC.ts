import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	ICredentialType,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isObject, objectWith, recordsOf, wholeNumber } from '../../../nodes/shared/base/json';
import { emailAddress, text } from '../../../nodes/shared/fields/kinds';
import { credentialFields, signedBy } from '../../../nodes/shared/http/credential';
import { get, path, post, remove } from '../../../nodes/shared/http/request';
import type { Service } from '../../../nodes/shared/http/service';
import { execute, nodeProperties } from '../../../nodes/shared/node';
import { list } from '../../../nodes/shared/operations/list';
import type { Resource } from '../../../nodes/shared/operations/operation';
import { write } from '../../../nodes/shared/operations/write';
import { eventChoices, startDate } from '../../../nodes/shared/polling/pollingTrigger';
import { poll } from '../../../nodes/shared/polling/poll';
import type { EventList, PollingTrigger } from '../../../nodes/shared/polling/pollingTrigger';
import { record, string, unchanged } from '../../../nodes/shared/records';
import type { RecordForms } from '../../../nodes/shared/records';
import { flatItem } from '../../../nodes/shared/triggers/items';
import { outputs } from '../../../nodes/shared/triggers/routing';
import { triggerFields } from '../../../nodes/shared/triggers/settings';
import { receive } from '../../../nodes/shared/webhooks/receive';
import { webhookMethods } from '../../../nodes/shared/webhooks/webhookMethods';
import { ignoreRepeats, webhooksAt } from '../../../nodes/shared/webhooks/webhookTrigger';
import type { WebhookTrigger } from '../../../nodes/shared/webhooks/webhookTrigger';

// #region service
const surveyC: Service = {
	name: 'Survey C',
	credential: 'surveyCApi',
	authorization: (apiKey) => `Token ${apiKey}`,
	apiPath: /\/v1$/,
	credentialTest: { path: '/v1/people', recordsKey: 'people' },
	messageIn: (body) => (isObject(body) && body.message ? String(body.message) : undefined),
	pageQuery: (page, size) => ({ page, size }),
	readPage(body, key) {
		const records = isObject(body) ? recordsOf(body[key]) : undefined;
		return records && isObject(body) ? { records, total: wholeNumber(body.total) } : undefined;
	},
};
// #endregion

// #region credential
export class SurveyCApi implements ICredentialType {
	name = 'surveyCApi';

	displayName = 'Survey C API';

	properties = credentialFields('API key of your account');

	authenticate = signedBy(surveyC);
}
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
			email: emailAddress({ displayName: 'Email', required: true }),
			name: text({ displayName: 'Name' }),
		},
		outputSchema: person,

		request: ({ email, name }) => post('notIdempotent', '/v1/people', { email, name }),
		readBody: objectWith('id'),
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

// #region polling
const personForms: RecordForms = { raw: person, simplified: unchanged('id', 'email', 'name') };

const personAdded: EventList = {
	name: 'Person Added',
	value: 'person.added',
	description: 'A person was added',
	request: get('/v1/people', { sort: '-added' }),
	recordsKey: 'people',
	record: personForms,
	dateField: 'added',
};

const pollFields = triggerFields({
	events: eventChoices([personAdded]),
	record: personForms,
	filters: {},
	options: { startDate },
});

const newPeople: PollingTrigger = {
	service: surveyC,
	lists: [personAdded],
	read: pollFields.read,
};

export class SurveyCTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey C Trigger',
		name: 'surveyCTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Starts the workflow for new people in Survey C',
		defaults: { name: 'Survey C Trigger' },
		polling: true,
		inputs: [],
		outputs,
		credentials: [{ name: 'surveyCApi', required: true }],
		properties: pollFields.properties,
	};

	async poll(this: IPollFunctions) {
		return await poll(this, newPeople);
	}
}
// #endregion

// #region webhook
const hookFields = triggerFields({
	events: [{ name: 'Person Changed', value: 'person.changed' }],
	record: personForms,
	filters: {},
	options: { ignoreRepeats },
});

const changedPeople: WebhookTrigger = {
	service: surveyC,
	read: hookFields.read,
	create: (event, target) => post('notIdempotent', '/v1/hooks', { event, target }),
	remove: (id) => remove(path`/v1/hooks/${id}`),
	lookAt: 'the settings of Survey C',
	body: '{hook, event, person: {…}}',
	readDelivery({ hook, event, person: data }) {
		const called = { id: String(hook), event: String(event), target: '' };
		return isObject(data) ? { hook: called, data } : undefined;
	},
	subjectOf: (_event, { id, changed }) => ({ record: id, date: String(changed) }),
	itemOf: ({ hook: { event }, data }) => ({ json: flatItem({ event }, data) }),
};

export class SurveyCWebhook implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey C Webhook',
		name: 'surveyCWebhook',
		group: ['trigger'],
		version: 1,
		description: 'Starts the workflow when a person changes in Survey C',
		defaults: { name: 'Survey C Webhook' },
		inputs: [],
		outputs,
		credentials: [{ name: 'surveyCApi', required: true }],
		webhooks: webhooksAt('survey-c'),
		properties: hookFields.properties,
	};

	webhookMethods = { default: webhookMethods(changedPeople) };

	async webhook(this: IWebhookFunctions) {
		return await receive(this, changedPeople);
	}
}
// #endregion
