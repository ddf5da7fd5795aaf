import { isN8nError } from '../n8nInternals';
import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import type { Credential } from './credential';
import type { FailedAttempt } from './retry';

interface Cause {
	/** A text that follows a colon. */
	reason: string;
	hint?: string;
}

const CHECK_HOST = 'Check the Base URL of the credential, and whether the service is running';
const CHECK_NAME = { hint: 'Check the host name in the Base URL of the credential' };
const CHECK_TLS = {
	hint: "Check the Base URL of the credential, or have the service's certificate renewed",
};
const TRUST = {
	hint: 'Give n8n the certificate of its authority (NODE_EXTRA_CA_CERTS), or check the Base URL of the credential',
};

/** Codes that guarantee that nothing reached the service. */
const NEVER_CONNECTED: Record<string, Cause> = {
	ECONNREFUSED: { reason: 'the connection was refused' },
	ENOTFOUND: { reason: 'its host name is not known', ...CHECK_NAME },
	EAI_AGAIN: { reason: 'its host name could not be looked up', ...CHECK_NAME },
	EHOSTUNREACH: { reason: 'there is no route to its host' },
	ENETUNREACH: { reason: 'there is no route to its network' },
	EADDRNOTAVAIL: { reason: 'its address cannot be used from here' },
	CERT_HAS_EXPIRED: { reason: 'its TLS certificate has expired', ...CHECK_TLS },
	ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'its TLS certificate is for another host', ...CHECK_TLS },
	DEPTH_ZERO_SELF_SIGNED_CERT: { reason: 'its TLS certificate is self-signed', ...TRUST },
	SELF_SIGNED_CERT_IN_CHAIN: {
		reason: 'its TLS certificate is signed by an authority of its own',
		...TRUST,
	},
};

/** Other codes of untrusted certificates. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_/;
const UNTRUSTED_CAUSE: Cause = { reason: 'its TLS certificate is not trusted', ...TRUST };

/** TLS errors that mean that the server speaks plain HTTP. */
const NO_TLS = /wrong version number|packet length too long|unknown protocol/i;
const NO_TLS_CAUSE: Cause = {
	reason: 'it does not use TLS',
	hint: 'Use http:// instead of https:// in the Base URL of the credential, or another port',
};

/** An invalid URL or header, or another protocol than HTTP. */
const NEVER_SENT = /^ERR_(INVALID_|UNESCAPED_|BAD_REQUEST$)/;
const CHECK_CHARACTERS =
	'Check the Base URL and the API key of the credential for stray characters';

/**
 * Returns what an error of n8n's HTTP helper means. The helper wraps the cause, so the error code is anywhere in the chain
 * of causes. An unlisted code may have come after the request was sent: a broken connection, an unreadable response. n8n's
 * own refusals are n8n errors without a code.
 */
export function networkError(
	thrown: unknown,
	service: string,
	{ baseUrl, redact }: Pick<Credential, 'baseUrl' | 'redact'>,
): FailedAttempt {
	const chain = causesOf(thrown);
	const code = chain.map(codeOf).find((one) => one !== undefined);
	if (code === undefined) {
		const failure = Failure.from(thrown);
		const clean = { message: redact(failure.message), hint: failure.hint && redact(failure.hint) };
		return { cause: isN8nError(chain.at(-1)) ? 'final' : 'lost', failure: failure.with(clean) };
	}
	const failed = (cause: FailedAttempt['cause'], message: string, hint: string) => {
		return { cause, failure: new Failure('failed', message, { hint }) };
	};
	const unreached = unreachedBy(code, chain, baseUrl);
	if (unreached) {
		const { reason, hint = CHECK_HOST } = unreached;
		return failed('unreached', `${service} could not be reached at ${baseUrl}: ${reason}`, hint);
	}
	if (NEVER_SENT.test(code)) {
		const message = `Nothing was sent to ${service}: the request contains characters that cannot be sent`;
		return failed('final', message, CHECK_CHARACTERS);
	}
	const message = `The connection to ${service} closed before the response was complete`;
	return failed('lost', message, 'Try again later');
}

/** Returns why nothing reached the service; undefined if something may have. An address with another port is a proxy's. */
function unreachedBy(code: string, chain: Thrown[], baseUrl: string): Cause | undefined {
	const cause = NEVER_CONNECTED[code];
	const proxy = chain.map((error) => proxyOf(error, baseUrl)).find((one) => one !== undefined);
	if (cause) return proxy === undefined ? cause : proxyCause(proxy);
	if (UNTRUSTED.test(code)) return UNTRUSTED_CAUSE;
	return chain.some(({ message }) => NO_TLS.test(String(message))) ? NO_TLS_CAUSE : undefined;
}

function proxyCause(proxy: string): Cause {
	return {
		reason: `the proxy at ${proxy} could not be reached`,
		hint: 'Check the proxy that n8n is set to use (HTTP_PROXY, HTTPS_PROXY, NO_PROXY)',
	};
}

interface Thrown {
	message?: unknown;
	code?: unknown;
	httpCode?: unknown;
	cause?: unknown;
	address?: unknown;
	port?: unknown;
}

function causesOf(thrown: unknown): Thrown[] {
	const chain: Thrown[] = [];
	for (let error = thrown; isObject(error) && chain.length < 6; error = error.cause) {
		chain.push(error);
	}
	return chain;
}

/** Returns an error's code. n8n 1.123 drops the cause, and keeps its code in `httpCode`. */
function codeOf({ code, httpCode }: Thrown): string | undefined {
	if (typeof code === 'string') return code;
	return typeof httpCode === 'string' && /^[A-Z]/.test(httpCode) ? httpCode : undefined;
}

function proxyOf({ address, port }: Thrown, baseUrl: string): string | undefined {
	if (address === undefined || port === undefined) return undefined;
	const url = new URL(baseUrl);
	const expected = url.port || (url.protocol === 'https:' ? '443' : '80');
	return String(port) === expected ? undefined : `${String(address)}:${String(port)}`;
}
