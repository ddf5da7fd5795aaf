import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import type { ZodRawShape, ZodTypeAny } from 'zod';

/**
 * A request that the contract does not allow. The server responds with 500 and this reason, or with 404 if the contract has
 * no such path. The test that caused the request fails and says why.
 */
export class OutsideContract extends Error {
	constructor(
		message: string,
		readonly status = 500,
	) {
		super(message);
	}
}

/** An error response that the contract shows, or one of the plausible responses where it is silent. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: unknown,
	) {
		super(`refused with ${String(status)}`);
	}
}

/** A second server. Its records are in the state of the sandbox, which holds them in the form of the contract. */
export interface SecondServer {
	url: string;
	/** The reasons of all requests that were outside the contract. */
	violations: string[];
	close(): Promise<void>;
}

const problems = (error: z.ZodError): string =>
	error.issues
		.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
		.join('; ');

const allowed = <Schema extends ZodTypeAny>(
	request: Request,
	part: string,
	schema: Schema,
	value: unknown,
): z.output<Schema> => {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data as z.output<Schema>;
	throw new OutsideContract(
		`${request.method} ${request.path}, ${part}: ${problems(parsed.error)}`,
	);
};

const queryParameters = (request: Request): Record<string, string> => {
	const found: Record<string, string> = {};
	for (const [name, value] of new URL(request.originalUrl, 'http://localhost').searchParams) {
		if (name in found) {
			throw new OutsideContract(`${request.method} ${request.path}: ${name} is sent twice`);
		}
		found[name] = value;
	}
	return found;
};

/** Reads the query parameters. Any parameter that `shape` does not name is outside the contract. */
export const queryOf = <Shape extends ZodRawShape>(request: Request, shape: Shape) =>
	allowed(request, 'query', z.object(shape).strict(), queryParameters(request));

export const bodyOf = <Schema extends ZodTypeAny>(request: Request, schema: Schema) =>
	allowed(request, 'body', schema, request.body);

/** A whole number as it stands in a query. */
export const wholeNumber = (min: number, max = 2 ** 31 - 1) =>
	z
		.string()
		.regex(/^\d+$/, 'not a whole number')
		.transform(Number)
		.pipe(z.number().min(min).max(max));

/** Enough to tell an address from something else, as servers do: no dot is at an end, or beside another one. */
export const isEmail = (text: string): boolean =>
	/^[^\s@,;.]+(\.[^\s@,;.]+)*@[^\s@,;.]+(\.[^\s@,;.]+)+$/.test(text);

interface Definition {
	/** Throws a Refusal for a missing or wrong key. */
	authenticate(request: Request): void;
	routes(app: Express): void;
	/** The body of the response to a request outside the contract. */
	bodyOfError(status: number, reason: string): unknown;
}

/** Both contracts name `application/json` for every request, also for those without a body. */
const requireJson = (request: Request): void => {
	const type = request.headers['content-type'] ?? '';
	if (!/^application\/json(;\s*charset=utf-8)?$/i.test(type)) {
		throw new OutsideContract(
			`${request.method} ${request.path}: Content-Type is "${type}", not application/json`,
		);
	}
};

/** Starts a second server on a free port. */
export const startSecond = async (definition: Definition): Promise<SecondServer> => {
	const violations: string[] = [];

	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.enable('strict routing');
	app.enable('case sensitive routing');
	app.use(express.json({ limit: '64mb', strict: false }));
	app.use((request, _response, next) => {
		definition.authenticate(request);
		requireJson(request);
		next();
	});
	definition.routes(app);
	app.use((request) => {
		throw new OutsideContract(`${request.method} ${request.path} is not in the contract`, 404);
	});
	app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
		if (error instanceof Refusal) {
			response.status(error.status).json(error.body);
			return;
		}
		const reason = error instanceof Error ? error.message : String(error);
		violations.push(reason);
		const status = error instanceof OutsideContract ? error.status : 500;
		response.status(status).json(definition.bodyOfError(status, reason));
	});

	const server = createServer(app);
	server.keepAliveTimeout = 60_000;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;

	return {
		url: `http://127.0.0.1:${String(port)}`,
		violations,
		async close() {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
};
