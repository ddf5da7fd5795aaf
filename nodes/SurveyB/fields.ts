import type { INodeProperties } from 'n8n-workflow';

// The fields that several operations of Survey B share.

export const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	required: true,
	default: '',
	description: 'Address of the contact. It identifies the contact in Survey B.',
};

export const campaignId: INodeProperties = {
	displayName: 'Campaign ID',
	name: 'campaignId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 101',
	description: 'ID of the campaign, from its address in Survey B',
};

export const feedbackId: INodeProperties = {
	displayName: 'Feedback ID',
	name: 'feedbackId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 2001',
};

/** A member of the organization who replies or forwards. */
export const fromUser: INodeProperties = {
	displayName: 'From User',
	name: 'fromUser',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. support@example.com',
	description: 'Address of a member of your organization, in whose name this goes out',
};

export const firstName: INodeProperties = {
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan',
};

export const lastName: INodeProperties = {
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Smith',
};

/** IDs go into bodies as numbers, as the contract's examples show them; any other text as it is. */
export function numberOf(id: string): number | string {
	return /^\d{1,15}$/.test(id) ? Number(id) : id;
}
