// Retries the failed executions of an n8n by its public API. It has no imports from this repository, so that it runs by
// itself with Node 24:
//
//     N8N_API_KEY=... node retryFailed.mts https://n8n.example.com [--workflow ID] [--ids 1,2,3] [--dry-run]
//
// The key comes from Settings > n8n API and needs the scopes execution:list and execution:retry. An execution is retried
// once, from its original: not if one of its retries succeeded or still runs, and not together with its failed retries.
import { parseArgs } from 'node:util';

interface Options {
	url: string;
	key: string;
	/** Only executions of this workflow. */
	workflow?: string;
	/** Only these executions. */
	ids?: string[];
	dryRun?: boolean;
}

/** IDs are text or numbers, depending on the version of n8n. */
interface Execution {
	id: string | number;
	retryOf: string | number | null;
	retrySuccessId: string | number | null;
}

/** The body of a response of n8n's API: a page, the new execution of a retry, or an error. */
interface Body {
	data?: Execution[];
	nextCursor?: string | null;
	status?: string;
	message?: string;
}

const FAILED = ['error', 'crashed'];
const UNFINISHED = ['new', 'running', 'waiting'];
const CONCURRENCY = 8;

/**
 * Retries every failed execution that has not succeeded since.
 *
 * @returns the executions that were retried, each with the end of the retry, and those that a retry has brought to
 * success or is running for
 */
export async function retryFailed(options: Options) {
	const { ids, dryRun } = options;
	// An execution that somebody canceled is retried only by its ID.
	const failed = await list(options, ids ? [...FAILED, 'canceled'] : FAILED);
	const unfinished = await list(options, UNFINISHED);
	const parents = new Map([...failed, ...unfinished].map((one) => [String(one.id), one.retryOf]));
	const originalOf = (id: string): string => {
		const parent = parents.get(id);
		return parent ? originalOf(String(parent)) : id;
	};
	const succeeded = failed.filter(({ retrySuccessId }) => retrySuccessId);
	const done = new Set([...unfinished, ...succeeded].map(({ id }) => originalOf(String(id))));
	const originals = failed.filter(({ retryOf }) => !retryOf).map(({ id }) => String(id));
	const wanted = originals.filter((id) => ids?.includes(id) ?? true);
	const queue = wanted.filter((id) => !done.has(id)).values();
	const retried = new Map<string, string>();
	const work = async () => {
		for (const id of queue)
			retried.set(id, dryRun ? 'not retried (dry run)' : await retry(options, id));
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, work));
	return { retried, skipped: wanted.filter((id) => done.has(id)) };
}

/** Lists all executions with one of these statuses, page by page. */
async function list(options: Options, statuses: string[]): Promise<Execution[]> {
	const found: Execution[] = [];
	for (const status of statuses) {
		const query = new URLSearchParams({ status, limit: '250' });
		if (options.workflow) query.set('workflowId', options.workflow);
		for (let cursor: string | null | undefined = ''; cursor !== undefined; ) {
			if (cursor) query.set('cursor', cursor);
			const { ok, code, body } = await request(options, 'GET', `/executions?${query}`);
			if (!ok) throw new Error(`HTTP ${code} ${body.message ?? ''}`.trim());
			found.push(...(body.data ?? []));
			cursor = body.nextCursor ?? undefined;
		}
	}
	return found;
}

/** Returns the status of the new execution, or n8n's reason for refusing it. */
async function retry(options: Options, id: string): Promise<string> {
	const { code, body } = await request(options, 'POST', `/executions/${id}/retry`);
	return body.status ?? `refused: HTTP ${code} ${body.message ?? ''}`.trim();
}

async function request({ url, key }: Options, method: string, path: string) {
	const response = await fetch(`${url.replace(/\/$/, '')}/api/v1${path}`, {
		method,
		headers: { 'X-N8N-API-KEY': key, 'content-type': 'application/json' },
		body: method === 'POST' ? '{}' : undefined,
	});
	const body: Body = await response.json().catch(() => ({}));
	return { ok: response.ok, code: response.status, body };
}

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			workflow: { type: 'string' },
			ids: { type: 'string' },
			'dry-run': { type: 'boolean' },
		},
	});
	const { workflow, ids, 'dry-run': dryRun } = values;
	const [url] = positionals;
	const key = process.env.N8N_API_KEY;
	if (!url || !key)
		throw new Error(
			'Usage: N8N_API_KEY=... node retryFailed.mts URL [--workflow ID] [--ids 1,2,3] [--dry-run]',
		);
	const { retried, skipped } = await retryFailed({
		url,
		key,
		workflow,
		ids: ids?.split(','),
		dryRun,
	});
	for (const [id, status] of retried) console.log(`${id}\t${status}`);
	console.log(
		`${retried.size} ${dryRun ? 'would be retried' : 'retried'}, ${skipped.length} skipped: a retry succeeded or still runs`,
	);
}

if (process.argv[1]?.endsWith('retryFailed.mts')) {
	void main().catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	});
}
