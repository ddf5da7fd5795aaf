import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { Duplicates } from './duplicates';
import { registrationRecord, withWebhooks } from './registration';
import type { Registration, Webhook } from './registration';

/** A node's live URL, or its test URL, which exists while the editor listens. */
type Slot = 'live' | 'test';

type NodeContext = Pick<
	IHookFunctions,
	'getInstanceId' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

/** Problems that deliveries reveal and the log repeats at most once an hour. */
type Warning = 'unknownToken' | 'otherAccount' | 'accountCheck';

/** Milliseconds between two writes of the duplicates under load. */
const WRITE_INTERVAL = 250;

const LOG_INTERVAL = 60 * 60 * 1000;

/** How many nodes this process remembers; it forgets the least recently used first. */
const MOST_STATES = 5000;

/** The state of one node and slot in this process. */
interface ProcessState {
	registration?: Registration;
	/** The webhook URL of n8n's last call of `create` or `delete`. */
	url?: string;
	/** The webhooks that this process created, by `keyOf`. Outdated static data may list others that no longer exist. */
	readonly created: Set<string>;
	/** The webhooks that the service did not remove last time, for the next try of a failed publish. */
	unremoved: Webhook[];
	readonly duplicates: Duplicates;
	/** In ms since 1970. */
	duplicatesSavedAt: number;
	readonly loggedAt: Map<Warning, number>;
	/** Resolves when all work on the registration is done. */
	lastWork: Promise<unknown>;
}

const states = new Map<string, ProcessState>();

function processStateOf(key: string): ProcessState {
	const state = states.get(key) ?? {
		created: new Set<string>(),
		unremoved: [],
		duplicates: new Duplicates(),
		duplicatesSavedAt: 0,
		loggedAt: new Map<Warning, number>(),
		lastWork: Promise.resolve(),
	};
	states.delete(key);
	states.set(key, state);
	const [oldest] = states.keys();
	if (states.size > MOST_STATES && oldest !== undefined) states.delete(oldest);
	return state;
}

/**
 * A node's webhooks and recent deliveries, in the node's static data and in the process. The newer version counts: n8n
 * saves the static data of a workflow as a whole, so a run that began earlier may overwrite it, and n8n does not save
 * the changes of a failed activation. No delivery is accepted or rejected by this state alone.
 */
export class TriggerStore {
	readonly process: ProcessState;
	private readonly data: IDataObject;
	private readonly owner: string;
	private lastRead?: { entry: unknown; registration?: Registration };

	constructor(
		context: NodeContext,
		readonly slot: Slot,
	) {
		const parts = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id];
		this.owner = parts.join('/');
		this.data = context.getWorkflowStaticData('node');
		this.process = processStateOf(`${this.owner}/${slot}`);
	}

	get registration(): Registration {
		const { saved, empty } = this;
		const remembered = this.process.registration ?? empty;
		return saved && saved.savedAt > remembered.savedAt ? saved : remembered;
	}

	/** Returns true if n8n's last call was about this URL. */
	ownsUrl(url: string): boolean {
		return this.process.url === url || this.registration.url === url;
	}

	save(changes: Partial<Registration>): void {
		const before = this.registration;
		const savedAt = Math.max(Date.now(), before.savedAt + 1);
		this.write({ ...before, ...changes, owner: this.owner, savedAt });
	}

	add(webhooks: Webhook[]): void {
		this.save({ webhooks: withWebhooks(this.registration.webhooks, webhooks) });
	}

	/** Writes the process's version into the static data if that is older. */
	writeIfNewer(): void {
		const { registration } = this;
		if (registration.savedAt > (this.saved?.savedAt ?? 0)) this.write(registration);
	}

	/** Returns the node's recent deliveries. Those of a test are not saved. */
	loadDuplicates(): Duplicates {
		const { duplicates } = this.process;
		if (this.slot === 'live') duplicates.load(this.data.duplicates);
		return duplicates;
	}

	/**
	 * Writes the recent deliveries into the static data. While n8n stores other runs, at most once in 250 ms, because n8n
	 * writes all of the data each time; one of those runs writes the rest.
	 */
	saveDuplicates(): void {
		if (this.slot !== 'live') return;
		const { process } = this;
		const now = Date.now();
		const isShared = Math.abs(now - process.duplicatesSavedAt) < WRITE_INTERVAL;
		if (isShared && process.duplicates.storing > 0) return;
		const duplicates = process.duplicates.dump();
		if (duplicates === '') return;
		process.duplicatesSavedAt = now;
		this.writeIfNewer();
		this.data.duplicates = duplicates;
	}

	/** Returns true at most once an hour for each warning. */
	shouldLog(warning: Warning): boolean {
		const { loggedAt } = this.process;
		const now = Date.now();
		if (Math.abs(now - (loggedAt.get(warning) ?? 0)) < LOG_INTERVAL) return false;
		loggedAt.set(warning, now);
		return true;
	}

	/** Runs work on the registration after all earlier work. */
	async serialize<Result>(work: () => Promise<Result>): Promise<Result> {
		const result = this.process.lastWork.then(work);
		this.process.lastWork = result.catch(() => undefined);
		return await result;
	}

	private write(registration: Registration): void {
		this.process.registration = registration;
		// n8n detects changes of top-level entries only. `parse` copies, so that n8n shares no object with the process.
		this.data[this.slot] = registrationRecord().parse(registration);
	}

	/** The registration in the static data, parsed once. */
	private get saved(): Registration | undefined {
		const entry = this.data[this.slot];
		if (this.lastRead?.entry !== entry) {
			const { data } = registrationRecord().safeParse(entry);
			this.lastRead = { entry, registration: data?.owner === this.owner ? data : undefined };
		}
		return this.lastRead?.registration;
	}

	private get empty(): Registration {
		const { owner } = this;
		return { owner, savedAt: 0, publishedAt: 0, url: '', baseUrl: '', tokenHash: '', webhooks: [] };
	}
}

/**
 * Opens the store of a live or a test URL. n8n calls `create` of a test in mode `manual`, but `delete` in the same mode
 * for both, where only the URL differs.
 */
export function storeForHook(context: IHookFunctions, url: string): TriggerStore {
	const test = new TriggerStore(context, 'test');
	const isTest = context.getMode() === 'manual' || test.ownsUrl(url);
	const store = isTest ? test : new TriggerStore(context, 'live');
	store.process.url = url;
	// n8n keeps a node's static data under its name: a renamed node finds its deliveries in the process.
	store.loadDuplicates();
	return store;
}
