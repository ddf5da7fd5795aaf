import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { Duplicates } from './duplicates';
import { registrationRecord, withWebhooks } from './registration';
import type { Registration, Webhook } from './registration';

/** A node's live URL, or its test URL, which only serves while the editor listens. */
type Slot = 'live' | 'test';

type NodeContext = Pick<
	IHookFunctions,
	'getInstanceId' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

/** What deliveries may reveal, for the log. */
type Finding = 'unknownToken' | 'otherAccount' | 'accountCheck';

/** Under load, deliveries share a write of the duplicates: one in this many ms. */
const SHARED_WRITE = 250;

/** How often the log repeats a finding, in ms. */
const FINDING_INTERVAL = 60 * 60 * 1000;

/** How many nodes this process remembers; the least recently used is forgotten first. */
const MOST_STATES = 5000;

/** What this process knows of one node's slot. */
interface ProcessState {
	registration?: Registration;
	/** The webhook URL that n8n asked about last. */
	url?: string;
	/** The webhooks that this process created, by `keyOf`: outdated static data may list others that are gone. */
	readonly created: Set<string>;
	/** Those that the service did not remove when it was last asked to, for the next try of a failed publish. */
	unremoved: Webhook[];
	readonly duplicates: Duplicates;
	/** When the duplicates were last written into the static data, in ms since 1970. */
	duplicatesSavedAt: number;
	readonly loggedAt: Map<Finding, number>;
	/** Ends with the last work that was begun on the registration. */
	lastWork: Promise<unknown>;
}

const states = new Map<string, ProcessState>();

function processStateOf(key: string): ProcessState {
	const state = states.get(key) ?? {
		created: new Set<string>(),
		unremoved: [],
		duplicates: new Duplicates(),
		duplicatesSavedAt: 0,
		loggedAt: new Map<Finding, number>(),
		lastWork: Promise.resolve(),
	};
	states.delete(key);
	states.set(key, state);
	const [oldest] = states.keys();
	if (states.size > MOST_STATES && oldest !== undefined) states.delete(oldest);
	return state;
}

/**
 * A node's webhooks and the deliveries that it has had, in the node's static data. n8n saves the static data of a
 * whole workflow at once: a run that began earlier may write an older version over a newer one, and changes of a
 * failed activation are not saved. So the process remembers them too, and the newer version counts. Nothing relies on
 * either to accept a delivery: they say what to remove and what is a repeat.
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

	/** True if n8n last spoke of this URL. */
	ownsUrl(url: string): boolean {
		return this.process.url === url || this.registration.url === url;
	}

	save(changes: Partial<Registration>): void {
		const before = this.registration;
		const savedAt = Math.max(Date.now(), before.savedAt + 1);
		this.write({ ...before, ...changes, owner: this.owner, savedAt });
	}

	/** Notes webhooks that exist, so that they are removed one day. */
	add(webhooks: Webhook[]): void {
		this.save({ webhooks: withWebhooks(this.registration.webhooks, webhooks) });
	}

	/** Writes the process's version into the data that n8n is about to save, if that is older. */
	writeIfNewer(): void {
		const { registration } = this;
		if (registration.savedAt > (this.saved?.savedAt ?? 0)) this.write(registration);
	}

	/** The deliveries that the node has had. Those of a test are not saved. */
	loadDuplicates(): Duplicates {
		const { duplicates } = this.process;
		if (this.slot === 'live') duplicates.load(this.data.duplicates);
		return duplicates;
	}

	/**
	 * Writes the deliveries that the node has had into the data that n8n is about to save. If n8n is storing other
	 * runs, it does so at most once in 250 ms, because n8n writes all of the data each time. What is left out is written
	 * with one of those.
	 */
	saveDuplicates(): void {
		if (this.slot !== 'live') return;
		const { process } = this;
		const now = Date.now();
		const isShared = Math.abs(now - process.duplicatesSavedAt) < SHARED_WRITE;
		if (isShared && process.duplicates.storing > 0) return;
		process.duplicatesSavedAt = now;
		this.writeIfNewer();
		this.data.duplicates = process.duplicates.dump();
	}

	/** True once an hour for each finding. */
	isTimeFor(finding: Finding): boolean {
		const { loggedAt } = this.process;
		const now = Date.now();
		if (Math.abs(now - (loggedAt.get(finding) ?? 0)) < FINDING_INTERVAL) return false;
		loggedAt.set(finding, now);
		return true;
	}

	/** Runs work on the registration after all work that was begun before it. */
	async serialize<Result>(work: () => Promise<Result>): Promise<Result> {
		const result = this.process.lastWork.then(work);
		this.process.lastWork = result.catch(() => undefined);
		return await result;
	}

	private write(registration: Registration): void {
		this.process.registration = registration;
		// n8n notices a change of a top-level entry only, and must not share objects with the process.
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
 * Opens the store of the URL that n8n speaks of. n8n begins to listen for a test in mode `manual`, but ends a test
 * and a live workflow alike: then only the URL shows which one it is.
 */
export function storeForHook(context: IHookFunctions, url: string): TriggerStore {
	const test = new TriggerStore(context, 'test');
	const isTest = context.getMode() === 'manual' || test.ownsUrl(url);
	const store = isTest ? test : new TriggerStore(context, 'live');
	store.process.url = url;
	return store;
}
