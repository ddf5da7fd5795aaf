import type { ICredentialTestFunction } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { ApiClient, INTERACTIVE_TIME_LIMITS } from './client';
import { checkCredential, signature } from './credential';
import { credentialTestTransport } from './exchange';
import { CHECK_URL, isPassing } from './outcome';
import { get } from './request';
import { isRefused } from './response';
import type { Service } from './service';

/**
 * A read with the pace, the pauses, and the redirect rules of every other request. It succeeds only for a response of the
 * service's shape.
 */
export function credentialTest(service: Service): ICredentialTestFunction {
	const { path, recordsKey = '' } = service.credentialTest;
	const readBody = (body: unknown) => {
		// Any server may respond with an array, and with errors in a 200.
		if (isRefused(body) || (recordsKey !== '' && !isObject(body))) return undefined;
		const records = service.readPage(body, recordsKey)?.records;
		return records?.every((record) => 'id' in record && 'name' in record) || undefined;
	};
	return async function ({ data = {} }) {
		const connect = async () => {
			const credential = checkCredential(service, data);
			const headers = signature(service.authorization, credential.apiKey);
			return { credential, transport: credentialTestTransport(this, headers) };
		};
		try {
			const timeLimits = { ...INTERACTIVE_TIME_LIMITS, maxWait: 5000, attempts: 1 };
			await new ApiClient(connect, service, timeLimits).send(get(path), readBody);
			return { status: 'OK', message: 'Connection successful' };
		} catch (error) {
			const failure = ownFailure(service, Failure.from(error));
			return { status: 'Error', message: failure.messageWithAdvice() };
		}
	};
}

/** Replaces an error whose response cannot come from the service: the Base URL is wrong then. */
function ownFailure({ name }: Service, failure: Failure): Failure {
	const { status, kind } = failure;
	if (status === undefined) return failure;
	// A correct request may be refused for its key, or for now.
	const isOwn = status >= 400 && (isPassing(kind) || kind === 'run');
	const isRedirect = status >= 300 && status < 400;
	if (isOwn || isRedirect) return failure;
	return new Failure('failed', `This is not ${name}`, { status, hint: CHECK_URL });
}
