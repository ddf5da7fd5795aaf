import { Refusal } from '../core/answer';
import type { RefusedCustomer } from './records';

/** A refusal in the words of the contract's error table. */
export function refusal(code: number, message: string, error?: string): Refusal {
	const detail = error === undefined ? { data: null } : { error };
	return new Refusal({ status: code, body: { code, message, ...detail } });
}

export const invalid = (detail: string) => refusal(400, 'Validation failed', detail);

/** Names the rows whose address is none; nothing of the batch was carried out. */
export function invalidAddresses(data: RefusedCustomer[]): Refusal {
	const message = 'Validation Error: Invalid email addresses';
	const body = { code: 400, success: false, status: 'error', message, data };
	return new Refusal({ status: 400, body });
}
