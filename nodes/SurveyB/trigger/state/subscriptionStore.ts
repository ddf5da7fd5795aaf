import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { Duplicates } from './duplicates';
import { processStateOf } from './processState';
import type { Finding, ProcessState } from './processState';
import {
	isNewer,
	registrationRecord,
	subscriptionId,
	withOrphans,
	withoutOrphans,
} from './records';
import type { Orphan, Registration, Subscription } from './records';

/** The live URL's registration, or that of the test URL, which only serves while the editor listens. */
export type Slot = 'live' | 'test';

/** What n8n tells of a node wherever it runs: when it subscribes, and when a delivery comes. */
type NodeContext = Pick<
	IHookFunctions,
	'getInstanceId' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

/** How exactly an orphan's last delivery is noted, in ms: not every one is worth saving. */
const SEEN_PRECISION = 60 * 1000;

/** Under load, deliveries share a write of the duplicates: one in so many ms. */
const SHARED_WRITE = 250;

/** How often deliveries are looked at for what the user should know, in ms. */
const FINDING_INTERVAL = 60 * 60 * 1000;

/**
 * What a trigger node has at the service and what was delivered to it, in the node's static data. n8n
 * saves that whole workflows at a time: a run that began earlier may write an older version over a
 * newer one, and what a failed activation changed is not saved at all. So the process remembers it
 * too, and the newer version counts.
 */
export class SubscriptionStore {
	readonly processState: ProcessState;
	private readonly data: IDataObject;
	private readonly owner: string;
	private lastRead?: { entry: unknown; registration?: Registration };

	constructor(
		context: NodeContext,
		private readonly slot: Slot,
	) {
		this.owner = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id].join(
			'/',
		);
		this.data = context.getWorkflowStaticData('node');
		this.processState = processStateOf(`${this.owner}/${slot}`);
	}

	/** What the node has at the service, as far as this process and the saved data know. */
	get registration(): Registration {
		const { saved, processState } = this;
		const remembered = processState.registration;
		if (saved && remembered) return isNewer(saved, remembered) ? saved : remembered;
		return saved ?? remembered ?? this.empty;
	}

	/**
	 * What to build on: the registration, unless nothing is saved under the node's name. Then the node
	 * is new, was renamed, or is tested, and starts afresh: what the process remembers counts as
	 * orphaned. Only of a test, which n8n never saves anything of, does an orphan's proof of life count.
	 */
	get foundation(): Registration {
		if (this.saved) return this.registration;
		const { subscriptions, orphans } = this.registration;
		const left: Orphan[] = [...orphans, ...subscriptions].map((one: Orphan) => ({
			...one,
			seenAt: this.slot === 'test' ? one.seenAt : undefined,
			retry: undefined,
		}));
		return { ...this.empty, orphans: left };
	}

	/** True where n8n last spoke of this URL. */
	serves(url: string): boolean {
		return this.processState.url === url || this.registration.url === url;
	}

	/** Notes what the node has from now on. */
	save(changes: Partial<Omit<Registration, 'owner' | 'savedAt'>>): void {
		const before = this.registration;
		const savedAt = Math.max(Date.now(), before.savedAt + 1);
		this.write(registrationRecord().parse({ ...before, ...changes, owner: this.owner, savedAt }));
	}

	/** Writes the process's version into the data that n8n is about to save, where that is older. */
	mend(): void {
		const { registration } = this;
		const { savedAt } = this.saved ?? this.empty;
		if (registration.savedAt > savedAt) this.write(registration);
	}

	/** Notes that an orphan delivered, under this ID. */
	saw(orphan: Orphan, id: Subscription['id']): void {
		const now = Date.now();
		if (orphan.seenAt !== undefined && now - orphan.seenAt < SEEN_PRECISION) return;
		if (!subscriptionId.safeParse(id).success) return;
		const { registration } = this;
		const others = withoutOrphans(registration.orphans, [orphan]);
		const orphans = withOrphans(others, [{ ...orphan, id, seenAt: now }]);
		// Not a newer version: another process may be making one.
		this.write({ ...registration, orphans });
	}

	/** The deliveries that the live URL has had; those of a test are not worth saving. */
	loadDuplicates(): Duplicates {
		const { duplicates } = this.processState;
		if (this.slot === 'live') duplicates.load(this.data.duplicates ?? this.data.repeats);
		return duplicates;
	}

	/** What one test delivered may be sent again in the next one. */
	beginTest(): void {
		if (this.slot === 'test') this.processState.duplicates.clear();
	}

	/**
	 * Writes the deliveries that the node has had into the data that n8n is about to save: at once
	 * where n8n is storing no other, else at most once in 250 ms, since n8n writes all of it each time.
	 * What is left out is written with one of those.
	 */
	saveDuplicates(): void {
		if (this.slot !== 'live') return;
		const { processState } = this;
		const now = Date.now();
		const isShared = Math.abs(now - processState.duplicatesSavedAt) < SHARED_WRITE;
		if (isShared && processState.duplicates.storing > 0) return;
		processState.duplicatesSavedAt = now;
		this.mend();
		this.data.duplicates = processState.duplicates.dump();
		delete this.data.repeats;
	}

	/** True once an hour: the time to look for this, and to tell the log. */
	isTimeFor(finding: Finding): boolean {
		const { loggedAt } = this.processState;
		const now = Date.now();
		if (Math.abs(now - (loggedAt.get(finding) ?? 0)) < FINDING_INTERVAL) return false;
		loggedAt.set(finding, now);
		return true;
	}

	/** Does work on the registration after all that was begun before it is done. */
	async serialize<Result>(work: () => Promise<Result>): Promise<Result> {
		const result = this.processState.lastWork.then(work);
		this.processState.lastWork = result.catch(() => undefined);
		return await result;
	}

	private write(registration: Registration): void {
		this.processState.registration = registration;
		const { subscriptions, orphans } = registration;
		// n8n notices a change of a top-level entry only, and must not share objects with the process.
		if (subscriptions.length + orphans.length === 0) delete this.data[this.slot];
		else this.data[this.slot] = registrationRecord().parse(registration);
	}

	/** What the data holds of this node, read once. */
	private get saved(): Registration | undefined {
		const entry = this.data[this.slot];
		if (this.lastRead?.entry !== entry) {
			const { data } = registrationRecord().safeParse(entry);
			this.lastRead = { entry, registration: data?.owner === this.owner ? data : undefined };
		}
		return this.lastRead?.registration;
	}

	private get empty(): Registration {
		return { owner: this.owner, savedAt: 0, url: '', subscriptions: [], orphans: [] };
	}
}
