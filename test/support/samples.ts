import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Operation } from '../../nodes/shared/operations/operationSpec';
import { isObject } from '../../nodes/shared/base/json';
import { resources as resourcesA } from '../../nodes/SurveyA/resources';
import { resources as resourcesB } from '../../nodes/SurveyB/resources';
import type { Services } from './sandbox';
import { mapped } from './columns';

/** One working call of an operation against the sandbox's seed. */
export interface Sample {
	node: 'surveyA' | 'surveyB';
	/** `resource.operation`. */
	name: string;
	parameters: INodeParameters;
}

type Given = Record<string, INodeParameters>;

const AFTER_PURCHASE = '64a000000000000000000003';

function givenA({ a: { state } }: Services): Given {
	const [customer] = [...state.customers.values()];
	const [feedback] = state.feedback;
	const [company] = state.companies;
	const email = String(customer?.email);
	const survey = { campaign: AFTER_PURCHASE, ...mapped({ email: 'sample@example.com' }) };
	const feedbackId = String(feedback?.id);
	return {
		'company.get': { company: String(company?.id) },
		'customer.delete': { email },
		'customer.get': { customerId: String(customer?.id) },
		'customer.unsubscribe': { email },
		'customer.upsert': mapped({ email: 'sample@example.com', firstName: 'Sam' }),
		'feedback.get': { feedbackId },
		'feedback.setTags': { feedbackId, mode: 'replace', tags: 'sample' },
		'feedback.setTags (append)': { feedbackId, mode: 'append', tags: 'sample' },
		'feedback.setTagsLegacy': { feedbackId, mode: 'replace', tags: 'sample' },
		'feedback.setTagsLegacy (append)': { feedbackId, mode: 'append', tags: 'sample' },
		'feedback.setTopics': { feedbackId, mode: 'replace', topics: topic('sample') },
		'feedback.setTopics (append)': { feedbackId, mode: 'append', topics: topic('sample') },
		'report.get': { campaign: AFTER_PURCHASE },
		'score.get': { metric: 'nps' },
		'survey.send': survey,
		'survey.sendAudienceLegacy': survey,
		'survey.sendLegacy': survey,
	};
}

const topic = (name: string) => ({ topic: [{ name, sentiment: 'negative' }] });

function givenB({ b: { state } }: Services): Given {
	const [contact] = [...state.contacts.values()];
	const feedbackId = String(state.feedback.at(-1)?.id);
	const fromUser = 'agent@example.com';
	return {
		'commonReply.create': { title: 'Sample', reply: 'Thank you', categoryName: 'Samples' },
		'commonReply.delete': { commonReplyId: String(state.commonReplies[0]?.id) },
		'contact.delete': { email: String(contact?.email) },
		'contact.get': { contactId: String(contact?.id) },
		'contact.unsubscribe': { email: String(contact?.email) },
		'contact.upsert': mapped({ email: 'sample@example.com', firstName: 'Sam' }),
		'feedback.addTag': { feedbackId, tagName: 'sample', tagCategory: 'DETRACTOR' },
		'feedback.create': { campaignId: '101', email: 'sample@example.com', score: 3 },
		'feedback.delete': { feedbackId },
		'feedback.forward': { feedbackId, fromUser, to: 'lead@example.com' },
		'feedback.get': { feedbackId },
		'feedback.reply': { feedbackId, fromUser, message: 'Thank you' },
		'feedback.updateStatus': { feedbackId, status: 'CLOSED' },
		'metric.get': { campaignId: '101' },
		'survey.send': { campaignId: '101', ...mapped({ email: 'sample@example.com' }) },
		'webhook.create': { event: 'feedback.removed', target: 'http://127.0.0.1:9/hook' },
		'webhook.delete': { webhookId: String(state.hooks[0]?.id) },
	};
}

/** Returns a working call of every operation; operations with two effects have two. */
export function samplesOf(sandbox: Services): Sample[] {
	sandbox.b.state.hooks.push({ id: 77, event: 'feedback.removed', target: 'http://127.0.0.1:9/' });
	return [...sampled('surveyA', givenA(sandbox)), ...sampled('surveyB', givenB(sandbox))];
}

/** The sample of every Get Many. */
function lists(node: Sample['node']): Given {
	const names = operationNames[node].filter((name) => /\.getAll(Legacy)?$/.test(name));
	return Object.fromEntries(names.map((name) => [name, { returnAll: true }]));
}

function sampled(node: Sample['node'], given: Given): Sample[] {
	const all = Object.entries({ ...lists(node), ...given });
	return all
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, parameters]) => {
			const [resource = '', operation = ''] = name.replace(/ .*/, '').split('.');
			return { node, name, parameters: { resource, operation, ...parameters } };
		});
}

export const operationNames = {
	surveyA: namesOf(resourcesA),
	surveyB: namesOf(resourcesB),
};

function namesOf(resources: Record<string, { operations: object }>): string[] {
	return Object.entries(resources)
		.flatMap(([resource, { operations }]) =>
			Object.keys(operations).map((operation) => `${resource}.${operation}`),
		)
		.sort();
}

export function optionNames({ node, name }: Sample): string[] {
	const [resource = '', operation = ''] = name.replace(/ .*/, '').split('.');
	const resources: Record<string, { operations: Record<string, Pick<Operation, 'fields'>> }> =
		node === 'surveyA' ? resourcesA : resourcesB;
	const fields = resources[resource]?.operations[operation]?.fields ?? [];
	const options = fields.find((field) => field.name === 'options')?.options ?? [];
	return options.map((option) => option.name);
}

/** Returns the error message of an item, or undefined if it has none. */
export function errorOf(json: IDataObject): string | undefined {
	return isObject(json) && typeof json.error === 'string' ? json.error : undefined;
}
