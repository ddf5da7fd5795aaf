import type { IDataObject } from 'n8n-workflow';

const ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** True for what looks like a whole email address. */
export function isAddress(text: string): boolean {
	return ADDRESS.test(text);
}

/** Tells records of one address from others: a server may pass over the filter. */
export function hasEmail(address: string): (record: IDataObject) => boolean {
	const wanted = normalizeEmail(address);
	return ({ email }) => typeof email === 'string' && normalizeEmail(email) === wanted;
}

/**
 * The form in which addresses are compared: services write them in a case of their own, accents in one
 * character or two, and hosts of other scripts in letters that every mail server takes.
 */
export function normalizeEmail(address: string): string {
	const text = address.trim().normalize('NFC').toLowerCase();
	const at = text.lastIndexOf('@') + 1;
	return text.slice(0, at) + asciiHost(text.slice(at));
}

function asciiHost(host: string): string {
	const isAscii = /^[\x20-\x7e]*$/.test(host);
	const url = `http://${host}`;
	if (isAscii || /[\s/?#:@\\]/.test(host) || !URL.canParse(url)) return host;
	return new URL(url).hostname;
}
