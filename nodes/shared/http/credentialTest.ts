import type { ICredentialTestFunction } from 'n8n-workflow';
import { z } from 'zod/v4';

import { attempt } from './attempt';
import { INTERACTIVE_TIME_LIMITS } from './client';
import { checkCredential } from './credential';
import { Failure } from './failure';
import { get } from './request';
import type { Service } from './service';
import { credentialTestTransport } from './transport';

/**
 * Gives the test of a service's credential: one read, which no redirect takes elsewhere. It is green only
 * for an answer that has the shape of the service's.
 */
export function credentialTest(service: Service): ICredentialTestFunction {
	const { path, rowsKey } = service.credentialTest;
	const schema = z.unknown().refine((body) => {
		const rows = service.readPage(body, rowsKey)?.rows;
		return rows?.every((row) => 'id' in row && 'name' in row);
	});
	return async function ({ data = {} }) {
		try {
			const credential = checkCredential(service, data);
			const transport = credentialTestTransport(this, service.authorization(credential.apiKey));
			const { timeout } = INTERACTIVE_TIME_LIMITS;
			const result = await attempt({ transport, service, credential, timeout }, get(path), schema);
			if (result.kind === 'response') return { status: 'OK', message: 'Connection successful' };
			return refusal(result.failure);
		} catch (error) {
			return refusal(Failure.from(error));
		}
	};
}

function refusal({ headline, advice }: Failure) {
	const message = advice === undefined ? headline : `${headline}. ${advice}`;
	return { status: 'Error' as const, message };
}
