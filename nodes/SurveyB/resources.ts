import type { Resources } from '../shared/node';
import { create as createCommonReply } from './resources/commonReply/create';
import { deleteCommonReply } from './resources/commonReply/delete';
import { getAll as getCommonReplies } from './resources/commonReply/getAll';
import { deleteContact } from './resources/contact/delete';
import { get as getContact } from './resources/contact/get';
import { getAll as getContacts } from './resources/contact/getAll';
import { unsubscribe } from './resources/contact/unsubscribe';
import { upsert } from './resources/contact/upsert';
import { getAll as getContactLists } from './resources/contactList/getAll';
import { addTag } from './resources/feedback/addTag';
import { create as createFeedback } from './resources/feedback/create';
import { deleteFeedback } from './resources/feedback/delete';
import { forward } from './resources/feedback/forward';
import { get as getFeedback } from './resources/feedback/get';
import { getAll as getManyFeedback } from './resources/feedback/getAll';
import { reply } from './resources/feedback/reply';
import { updateStatus } from './resources/feedback/updateStatus';
import { get as getMetrics } from './resources/metric/get';
import { getAll as getManyMetrics } from './resources/metric/getAll';
import { send } from './resources/survey/send';
import { create as createWebhook } from './resources/webhook/create';
import { deleteWebhook } from './resources/webhook/delete';

/** All operations of Survey B, in the order in which people need them. */
export const resources: Resources = {
	survey: { name: 'Survey', operations: { send } },
	contact: {
		name: 'Contact',
		operations: {
			upsert,
			get: getContact,
			getAll: getContacts,
			unsubscribe,
			delete: deleteContact,
		},
	},
	feedback: {
		name: 'Feedback',
		operations: {
			getAll: getManyFeedback,
			get: getFeedback,
			reply,
			forward,
			addTag,
			updateStatus,
			create: createFeedback,
			delete: deleteFeedback,
		},
	},
	contactList: { name: 'Contact List', operations: { getAll: getContactLists } },
	metric: { name: 'Metric', operations: { getAll: getManyMetrics, get: getMetrics } },
	commonReply: {
		name: 'Common Reply',
		operations: {
			getAll: getCommonReplies,
			create: createCommonReply,
			delete: deleteCommonReply,
		},
	},
	webhook: { name: 'Webhook', operations: { create: createWebhook, delete: deleteWebhook } },
};
