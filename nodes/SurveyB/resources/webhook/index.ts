import type { Resource } from '../../../shared/node';
import { create } from './create';
import { deleteWebhook } from './delete';

export const webhook: Resource = {
	name: 'Webhook',
	operations: { create, delete: deleteWebhook },
};
