import type { IDataObject } from 'n8n-workflow';

const ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** Returns whether a text looks like a whole email address. */
export function isAddress(text: string): boolean {
	return ADDRESS.test(text);
}

/** Returns a test for records of an address, because a server may ignore the filter by email. */
export function hasEmail(address: string): (record: IDataObject) => boolean {
	const wanted = normalizeEmail(address);
	return ({ email }) => typeof email === 'string' && normalizeEmail(email) === wanted;
}

/** Returns the form in which addresses are compared: case, Unicode form, and international hosts may differ. */
export function normalizeEmail(address: string): string {
	const text = address.trim().normalize('NFC').toLowerCase();
	if (isAscii(text)) return text;
	const at = text.lastIndexOf('@') + 1;
	return text.slice(0, at) + asciiHost(text.slice(at));
}

function asciiHost(host: string): string {
	const url = `http://${host}`;
	if (isAscii(host) || /[\s/?#:@\\]/.test(host) || !URL.canParse(url)) return host;
	return new URL(url).hostname;
}

function isAscii(text: string): boolean {
	return /^[\x20-\x7e]*$/.test(text);
}
