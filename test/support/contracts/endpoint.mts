import { z, type ZodRawShape, type ZodTypeAny } from 'zod';

import type { RecordedRequest } from '../../../sandbox/core/requestLog';

/** What a contract shows of an endpoint. */
export interface Endpoint {
	/** The parameters that its query may have. */
	query?: ZodRawShape;
	/** The body of a request; none without it. */
	body?: ZodTypeAny;
	/** The body of a response to a request that was carried out. */
	response: ZodTypeAny;
}

/** A contract, with its endpoints such as `GET /api/v2/feedback/{id}/`. */
export interface Contract {
	authorization: RegExp;
	endpoints: Record<string, Endpoint>;
}

/** An object with some of these fields and no others. */
export const some = <Shape extends ZodRawShape>(shape: Shape) => z.object(shape).partial().strict();

/** An object with all of these fields and no others, where the contract does not say which may lack a value. */
export function record(shape: ZodRawShape) {
	const fields = Object.entries(shape).map(([name, schema]) => [name, schema.nullable()]);
	return z.object(Object.fromEntries(fields)).strict();
}

export const texts = <Name extends string>(...names: Name[]) => fieldsOf(names, z.string());

export const numbers = <Name extends string>(...names: Name[]) => fieldsOf(names, z.number());

function fieldsOf<Schema extends ZodTypeAny>(names: string[], schema: Schema) {
	return Object.fromEntries(names.map((name) => [name, schema]));
}

/** An ISO 8601 time in UTC. */
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

/** Text of a query that is a whole number. */
export const whole = z.string().regex(/^\d+$/);

/** Returns what in a request its contract does not show. */
export function requestProblems(
	{ authorization, endpoints }: Contract,
	{ method, path, url, headers, rawBody, body }: RecordedRequest,
): string[] {
	const line = `${method} ${path}`;
	const endpoint = endpointOf(endpoints, line);
	if (!endpoint) return [notInContract(line)];
	const query = [...new URLSearchParams(url.slice(path.length))];
	const bodySchema = endpoint.body ?? z.undefined();
	return [
		...(authorization.test(headers.authorization ?? '') ? [] : [`${line}: Authorization`]),
		...(headers['content-type']?.startsWith('application/json') ? [] : [`${line}: Content-Type`]),
		...(new Set(query.map(([name]) => name)).size === query.length ? [] : [`${line}: ${url}`]),
		...problemsIn(some(endpoint.query ?? {}), Object.fromEntries(query), `${line}, query`),
		...problemsIn(bodySchema, rawBody === '' ? undefined : body, `${line}, body`),
	];
}

/** Returns what in the response to a request its contract does not show. */
export function responseProblems(
	{ endpoints }: Contract,
	{ method, path }: RecordedRequest,
	text: string,
): string[] {
	const line = `${method} ${path}`;
	const endpoint = endpointOf(endpoints, line);
	if (!endpoint) return [notInContract(line)];
	const body = text === '' ? undefined : JSON.parse(text);
	return problemsIn(endpoint.response, body, `${line}, response`);
}

const notInContract = (line: string) =>
	`${line} is not in the contract: test/support/contracts has the endpoints`;

/** Returns the endpoint of a line; the one without parameters in its path if there are two. */
function endpointOf(endpoints: Contract['endpoints'], line: string): Endpoint | undefined {
	const isMatch = (name: string) =>
		new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(line);
	const name = line in endpoints ? line : Object.keys(endpoints).find(isMatch);
	return name === undefined ? undefined : endpoints[name];
}

function problemsIn(schema: ZodTypeAny, value: unknown, where: string): string[] {
	const { error } = schema.safeParse(value);
	return (error?.issues ?? []).map(({ path, message }) => `${where}: ${path.join('.')} ${message}`);
}
