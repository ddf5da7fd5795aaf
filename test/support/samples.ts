import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	NodeParameterValueType,
} from 'n8n-workflow';

import type { Resources } from '../../nodes/shared/operations/operation';
import { isObject } from '../../nodes/shared/base/json';
import { resources as resourcesA } from '../../nodes/SurveyA/resources';
import { resources as resourcesB } from '../../nodes/SurveyB/resources';
import { runOperation } from './runOperation';
import type { RunSettings } from './runOperation';
import type { Services } from './sandbox';
import { mapped } from './columns';

/** One working call of an operation against the sandbox's seed. */
export interface Sample {
	node: 'surveyA' | 'surveyB';
	/** `resource.operation`. */
	name: string;
	parameters: INodeParameters;
}

/** The operations that act again if their request is sent twice. Survey B surveys a contact once a day at most. */
export const HARMFUL = [
	...['feedback.setTags (append)', 'feedback.setTagsLegacy (append)'],
	...['feedback.setTopics (append)', 'survey.send', 'survey.sendAudienceLegacy'],
	...['survey.sendLegacy', 'commonReply.create', 'feedback.addTag', 'feedback.create'],
	...['feedback.forward', 'feedback.reply', 'webhook.create'],
];

export const isHarmful = ({ node, name }: Sample) =>
	HARMFUL.includes(name) && !(node === 'surveyB' && name === 'survey.send');

/** Values of parameters by their names. Other required parameters get a value by their type. */
type Values = Record<string, NodeParameterValueType>;

function valuesOfA({ a: { state } }: Services): Values {
	const [customer] = [...state.customers.values()];
	return {
		campaign: '64a000000000000000000003',
		company: String(state.companies[0]?.id),
		customerId: String(customer?.id),
		email: String(customer?.email),
		feedbackId: String(state.feedback[0]?.id),
		since: '2020-01-01',
		tags: 'sample',
		topics: { topic: [{ name: 'sample', sentiment: 'negative' }] },
	};
}

function valuesOfB({ b: { state } }: Services): Values {
	const [contact] = [...state.contacts.values()];
	return {
		campaignId: '101',
		commonReplyId: String(state.commonReplies[0]?.id),
		contactId: String(contact?.id),
		email: String(contact?.email),
		feedbackId: String(state.feedback.at(-1)?.id),
		fromUser: 'agent@example.com',
		target: 'http://127.0.0.1:9/hook',
		to: 'lead@example.com',
		webhookId: '77',
	};
}

/** Returns a working call of every operation; those that append or replace have two. */
export function samplesOf(sandbox: Services): Sample[] {
	sandbox.b.state.hooks.push({ id: 77, event: 'feedback.removed', target: 'http://127.0.0.1:9/' });
	return [...sampled('surveyA', valuesOfA(sandbox)), ...sampled('surveyB', valuesOfB(sandbox))];
}

/** Resets both services, and returns one of the calls, with the IDs of their seed. */
export function freshSample(sandbox: Services, index: number): Sample {
	sandbox.a.reset();
	sandbox.b.reset();
	const sample = samplesOf(sandbox)[index];
	if (sample === undefined) throw new RangeError(`no sample ${index}`);
	return sample;
}

function sampled(node: Sample['node'], values: Values): Sample[] {
	return operationNames[node].flatMap((name) => {
		const [resource = '', operation = ''] = name.split('.');
		const fields = fieldsOf(node, name);
		const given = Object.fromEntries(fields.flatMap((field) => valueOf(field, values)));
		const parameters = { resource, operation, ...given };
		const appended = {
			node,
			name: `${name} (append)`,
			parameters: { ...parameters, update: 'append' },
		};
		const isAppending = fields.some((field) => field.name === 'update');
		if (!isAppending) return [{ node, name, parameters }];
		return [{ node, name, parameters: { ...parameters, update: 'replace' } }, appended];
	});
}

/** Returns the name and a working value of a parameter, unless its default is one. */
function valueOf(
	{ name, type, required, default: usual }: INodeProperties,
	values: Values,
): Array<[string, NodeParameterValueType]> {
	if (name === 'returnAll') return [[name, true]];
	if (type === 'resourceMapper') return Object.entries(mapped({ email: 'sample@example.com' }));
	if (name in values) return [[name, values[name]]];
	if (!required) return [];
	// Any other value would name a record that the sandbox does not have.
	if (/Id$/.test(name)) throw new Error(`Add ${name} to test/support/samples.ts`);
	if (type === 'options') return [[name, usual]];
	return [[name, type === 'number' ? 3 : 'Sample']];
}

export const operationNames = {
	surveyA: namesOf(resourcesA),
	surveyB: namesOf(resourcesB),
};

function namesOf(resources: Resources): string[] {
	return Object.entries(resources)
		.flatMap(([resource, operations]) =>
			Object.keys(operations).map((operation) => `${resource}.${operation}`),
		)
		.sort();
}

/** Returns the fields of an operation, both those for people and those for AI agents. */
export function fieldsOf(node: Sample['node'], name: string): INodeProperties[] {
	const [resource = '', operation = ''] = name.split('.');
	const resources: Resources = node === 'surveyA' ? resourcesA : resourcesB;
	return resources[resource]?.[operation]?.fields ?? [];
}

export const serviceOf = ({ a, b }: Services, node: Sample['node']) => (node === 'surveyA' ? a : b);

/** Runs a sample with the account of its service. */
export async function runSample(
	sandbox: Services,
	{ node, parameters }: Sample,
	more: INodeParameters = {},
	settings?: RunSettings,
) {
	const name = `${parameters.resource}.${parameters.operation}`;
	return await runOperation(serviceOf(sandbox, node), name, { ...parameters, ...more }, settings);
}

/** Returns the error message of an item, or undefined if it has none. */
export function errorOf(json: IDataObject): string | undefined {
	return isObject(json) && typeof json.error === 'string' ? json.error : undefined;
}
