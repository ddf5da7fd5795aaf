import type { IDataObject } from 'n8n-workflow';

const ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** True for what looks like a whole email address. */
export function isAddress(text: string): boolean {
	return ADDRESS.test(text);
}

/** Tells records of one address from others: a server may pass over the filter. */
export function hasEmail(address: string): (record: IDataObject) => boolean {
	const wanted = address.trim().toLowerCase();
	return ({ email }) => String(email).trim().toLowerCase() === wanted;
}
