// Retries the failed executions of an n8n by its public API. It has no imports from this repository, so that it runs by
// itself with Node 24:
//
//     N8N_API_KEY=... node retryFailed.mts https://n8n.example.com [--workflow ID] [--ids 1,2,3] [--dry-run]
//
// The key comes from Settings > n8n API and needs the scopes execution:list and execution:retry. An execution is retried
// once, from its original: not if one of its retries succeeded or still runs, and not together with its failed retries.
import { parseArgs } from 'node:util';

export interface Options {
	url: string;
	key: string;
	/** Only executions of this workflow. */
	workflow?: string;
	/** Only these executions. */
	ids?: string[];
	dryRun?: boolean;
}

export interface Summary {
	/** The executions that were retried, and how the retry ended. */
	retried: Map<string, string>;
	/** The executions that a retry has brought to success, or that a retry is running for. */
	skipped: string[];
}

interface Execution {
	id: string;
	retryOf: string | null;
	retrySuccessId: string | null;
}

const FAILED = ['error', 'crashed'];
const UNFINISHED = ['new', 'running', 'waiting'];
const PAGE_SIZE = 250;
const CONCURRENCY = 8;

/** Retries every failed execution that has not succeeded since. */
export async function retryFailed(options: Options): Promise<Summary> {
	// An execution that somebody canceled is retried only by its ID.
	const failed = await list(options, options.ids ? [...FAILED, 'canceled'] : FAILED);
	const unfinished = await list(options, UNFINISHED);
	const all = new Map([...failed, ...unfinished].map((execution) => [execution.id, execution]));
	const done = new Set(
		[...unfinished, ...failed.filter(({ retrySuccessId }) => retrySuccessId !== null)].map(
			(execution) => originalOf(execution, all),
		),
	);
	const wanted = new Set(options.ids ?? failed.map(({ id }) => id));
	const originals = failed.filter(({ id, retryOf }) => retryOf === null && wanted.has(id));
	const open = originals.filter(({ id }) => !done.has(id));
	const retried = new Map<string, string>();
	const queue = (options.dryRun ? [] : open).values();
	const work = async () => {
		for (const { id } of queue) retried.set(id, await retry(options, id));
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, work));
	if (options.dryRun) for (const { id } of open) retried.set(id, 'not retried (dry run)');
	const skipped = originals.filter(({ id }) => done.has(id)).map(({ id }) => id);
	return { retried, skipped };
}

/** Returns the ID of the execution that this one is a retry of, over several retries. */
function originalOf({ id, retryOf }: Execution, all: Map<string, Execution>): string {
	const parent = retryOf === null ? undefined : all.get(retryOf);
	return parent ? originalOf(parent, all) : (retryOf ?? id);
}

/** Lists all executions with one of these statuses, page by page. */
async function list(options: Options, statuses: string[]): Promise<Execution[]> {
	const found: Execution[] = [];
	for (const status of statuses) {
		const query = new URLSearchParams({ status, limit: String(PAGE_SIZE) });
		if (options.workflow) query.set('workflowId', options.workflow);
		for (let cursor: string | null | undefined = ''; cursor !== null; ) {
			if (cursor) query.set('cursor', cursor);
			const page: Response = await request(options, 'GET', `/executions?${query}`);
			if (page.code !== 200) throw new Error(messageOf(page));
			found.push(...(page.data ?? []).map(withTextIds));
			cursor = page.nextCursor ?? null;
		}
	}
	return found;
}

/** IDs are text or numbers, depending on the version of n8n. */
function withTextIds({ id, retryOf, retrySuccessId }: Execution): Execution {
	const textOf = (value?: string | null) => (value ? String(value) : null);
	return { id: String(id), retryOf: textOf(retryOf), retrySuccessId: textOf(retrySuccessId) };
}

/** Returns the status of the new execution, or n8n's reason for refusing it. */
async function retry(options: Options, id: string): Promise<string> {
	const response = await request(options, 'POST', `/executions/${id}/retry`);
	return response.status ?? `refused: ${messageOf(response)}`;
}

/** The HTTP code of a response, and what n8n's API returns in its body. */
interface Response {
	code: number;
	data?: Execution[];
	nextCursor?: string | null;
	status?: string;
	message?: string;
}

async function request({ url, key }: Options, method: string, path: string): Promise<Response> {
	const response = await fetch(`${url.replace(/\/$/, '')}/api/v1${path}`, {
		method,
		headers: { 'X-N8N-API-KEY': key, 'content-type': 'application/json' },
		body: method === 'POST' ? '{}' : undefined,
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json');
	return { ...(isJson ? JSON.parse(text) : undefined), code: response.status };
}

function messageOf({ code, message = '' }: Response): string {
	return `HTTP ${code} ${message}`.trim();
}

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			workflow: { type: 'string' },
			ids: { type: 'string' },
			'dry-run': { type: 'boolean' },
		},
	});
	const [url] = positionals;
	const key = process.env.N8N_API_KEY;
	if (!url || !key) {
		console.error(
			'Usage: N8N_API_KEY=... node retryFailed.mts URL [--workflow ID] [--ids 1,2,3] [--dry-run]',
		);
		return 2;
	}
	const { workflow, ids, 'dry-run': dryRun } = values;
	const options = { url, key, workflow, ids: ids?.split(','), dryRun };
	const { retried, skipped } = await retryFailed(options);
	for (const [id, status] of retried) console.log(`${id}\t${status}`);
	console.log(
		`${retried.size} ${dryRun ? 'would be retried' : 'retried'}, ${skipped.length} skipped: a retry succeeded or still runs`,
	);
	return 0;
}

if (process.argv[1]?.endsWith('retryFailed.mts')) {
	void main().then(
		(code) => (process.exitCode = code),
		(error: unknown) => {
			console.error(error instanceof Error ? error.message : error);
			process.exitCode = 1;
		},
	);
}
