import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { registrationRecord } from './registration';
import type { Registration } from './registration';
import { Repeats } from './repeats';

/** The live URL's registration, or that of the test URL, which only serves while the editor listens. */
export type Slot = 'live' | 'test';

/** What this process knows of one node's slot. */
interface Memory {
	registration?: Registration;
	/** Subscriptions that are being made: they may deliver before their IDs are known. */
	making?: { token: string; events: string[] };
	readonly repeats: Repeats;
	/** Ends with the last piece of work begun on the registration. */
	lastTurn: Promise<unknown>;
}

const memories = new Map<string, Memory>();

/**
 * The book a trigger node keeps of its subscriptions, in the node's static data. n8n saves that whole
 * workflows at a time: a run that began earlier may write an older version over a newer one, and what
 * a failed activation changed is not saved at all. So the process remembers the registration too, and
 * the newer version counts.
 */
export class Ledger {
	readonly memory: Memory;
	private readonly data: IDataObject;
	private readonly owner: string;

	constructor(
		context: IHookFunctions | IWebhookFunctions,
		private readonly slot: Slot,
	) {
		this.owner = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id].join(
			'/',
		);
		this.data = context.getWorkflowStaticData('node');
		const key = `${this.owner}/${slot}`;
		const memory = memories.get(key) ?? { repeats: new Repeats(), lastTurn: Promise.resolve() };
		this.memory = memory;
		memories.set(key, memory);
	}

	/** What the node has at the service, as far as this process and the saved data know. */
	get registration(): Registration {
		const { saved, memory } = this;
		const remembered = memory.registration;
		if (saved && remembered) return saved.savedAt > remembered.savedAt ? saved : remembered;
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
		const left = [...orphans, ...subscriptions].map((one) => ({
			...one,
			seenAt: this.slot === 'test' && 'seenAt' in one ? one.seenAt : undefined,
			retry: undefined,
		}));
		return { ...this.empty, orphans: left };
	}

	/** Notes what the node has from now on. */
	save(changes: Partial<Omit<Registration, 'owner' | 'savedAt'>>): void {
		const before = this.registration;
		const savedAt = Math.max(Date.now(), before.savedAt + 1);
		this.write(registrationRecord.parse({ ...before, ...changes, owner: this.owner, savedAt }));
	}

	/** Writes the process's version into the data that n8n is about to save, where that is older. */
	mend(): void {
		const { registration } = this;
		const { savedAt } = this.saved ?? this.empty;
		if (registration.savedAt > savedAt) this.write(registration);
	}

	/** The deliveries that the live URL has had; those of a test are not worth saving. */
	loadRepeats(): Repeats {
		if (this.slot === 'live') this.memory.repeats.load(this.data.repeats);
		return this.memory.repeats;
	}

	saveRepeats(): void {
		if (this.slot === 'live') this.data.repeats = this.memory.repeats.dump();
	}

	/** Does work on the registration after all that was begun before it is done. */
	async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		const turn = this.memory.lastTurn.then(work);
		this.memory.lastTurn = turn.catch(() => undefined);
		return await turn;
	}

	private write(registration: Registration): void {
		this.memory.registration = registration;
		const { subscriptions, orphans } = registration;
		// n8n notices a change of a top-level entry only, and must not share objects with the memory.
		if (subscriptions.length + orphans.length === 0) delete this.data[this.slot];
		else this.data[this.slot] = registrationRecord.parse(registration);
	}

	private get saved(): Registration | undefined {
		const read = registrationRecord.safeParse(this.data[this.slot]);
		return read.success && read.data.owner === this.owner ? read.data : undefined;
	}

	private get empty(): Registration {
		return { owner: this.owner, savedAt: 0, url: '', subscriptions: [], orphans: [] };
	}
}
