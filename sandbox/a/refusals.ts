import { Refusal } from '../core/apiResponse';

/** Creates a refusal with an error body of the contract. */
export function refusal(code: number, message: string, error?: string): Refusal {
	const detail = error === undefined ? { data: null } : { error };
	return new Refusal({ status: code, body: { code, message, ...detail } });
}

export const invalid = (detail: string) => refusal(400, 'Validation failed', detail);

/** Creates the refusal of a batch; `data` has the rows with an invalid address. */
export function invalidAddresses(data: object[]): Refusal {
	const message = 'Validation Error: Invalid email addresses';
	const body = { code: 400, success: false, status: 'error', message, data };
	return new Refusal({ status: 400, body });
}
