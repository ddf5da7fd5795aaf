import type { ICredentialTestFunction } from 'n8n-workflow';
import { z } from 'zod/v4';

import { ApiClient, INTERACTIVE_TIME_LIMITS } from './client';
import { checkCredential } from './credential';
import { Failure } from './failure';
import { get } from './request';
import type { Service } from './service';
import { credentialTestTransport } from './transport';

/**
 * Returns the test of a service's credential: a read with the pace, the pauses, and the redirect rules of every
 * other request. It succeeds only for a response of the service's shape.
 */
export function credentialTest(service: Service): ICredentialTestFunction {
	const { path, rowsKey } = service.credentialTest;
	const schema = z.unknown().refine((body) => {
		const rows = service.readPage(body, rowsKey)?.rows;
		return rows?.every((row) => 'id' in row && 'name' in row);
	});
	return async function ({ data = {} }) {
		const connect = async () => {
			const credential = checkCredential(service, data);
			const authorization = service.authorization(credential.apiKey);
			return { credential, transport: credentialTestTransport(this, authorization) };
		};
		try {
			const timeLimits = { ...INTERACTIVE_TIME_LIMITS, attempts: 1 };
			await new ApiClient(connect, service, timeLimits).send(get(path), schema);
			return { status: 'OK', message: 'Connection successful' };
		} catch (error) {
			return { status: 'Error', message: Failure.from(error).wholeMessage() };
		}
	};
}
