import type { ICredentialTestFunction } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../base/failure';
import { ApiClient, INTERACTIVE_TIME_LIMITS } from './client';
import { checkCredential } from './credential';
import { credentialTestTransport } from './exchange';
import { get } from './request';
import { CHECK_URL, WEB_PAGE } from './response';
import type { Service } from './service';

/**
 * Returns the test of a service's credential: a read with the pace, the pauses, and the redirect rules of every
 * other request. It succeeds only for a response of the service's shape.
 */
export function credentialTest(service: Service): ICredentialTestFunction {
	const { path, recordsKey = '' } = service.credentialTest;
	const schema = z.unknown().refine((body) => {
		const records = service.readPage(body, recordsKey)?.records;
		return records?.every((record) => 'id' in record && 'name' in record);
	});
	return async function ({ data = {} }) {
		const connect = async () => {
			const credential = checkCredential(service, data);
			const authorization = service.authorization(credential.apiKey);
			return { credential, transport: credentialTestTransport(this, authorization) };
		};
		try {
			const timeLimits = { ...INTERACTIVE_TIME_LIMITS, maxWait: 5, attempts: 1 };
			await new ApiClient(connect, service, timeLimits).send(get(path), schema);
			return { status: 'OK', message: 'Connection successful' };
		} catch (error) {
			const failure = ownFailure(service, Failure.from(error));
			return { status: 'Error', message: failure.messageWithAdvice() };
		}
	};
}

/** Status codes below 500 that the service may return to a correct request. */
const SERVICE_STATUSES = new Set([401, 403, 407, 408, 429]);

/** Replaces an error whose response cannot come from the service: the Base URL is wrong then. */
function ownFailure({ name }: Service, failure: Failure): Failure {
	const { status = 500, message } = failure;
	const isRedirect = status >= 300 && status < 400;
	if (status >= 500 || isRedirect || SERVICE_STATUSES.has(status)) return failure;
	const page = message.endsWith(WEB_PAGE) ? WEB_PAGE : '';
	return new Failure('failed', `This is not ${name}${page}`, { status, hint: CHECK_URL });
}
