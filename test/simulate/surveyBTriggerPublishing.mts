import type { INode, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import type { EmulatedN8n } from '../contract/surveyBTrigger/emulatedN8n';
import { changeOf } from './surveyBTriggerChanges';
import { assert, Deliveries, keyOf, nodeOf } from './surveyBTriggerDeliveries.mts';
import type {
	Account,
	Deletion,
	Hook,
	Publication,
	Settings,
} from './surveyBTriggerDeliveries.mts';

// Publishing and unpublishing a workflow, whose triggers create and remove webhooks at a service that may fail.

/** Faults of requests that create webhooks. */
type Creation = 'lost' | 503 | 404 | 429 | 'html' | 403;

/** Publishes the workflow and checks the webhooks that it has at the service. */
export class Publishing extends Deliveries {
	protected deletion: Deletion = 204;
	protected name = 'Trigger';
	protected readonly snapshots: Array<{ at: number; data: string }> = [];
	/** Webhooks that the trigger cannot know, because a response or static data was lost. */
	protected readonly unknown = new Set<number>();
	/** Webhooks that may stay: their removal was refused for good, or they belong to another account, key or address. */
	protected readonly staying = new Set<number>();
	/** The faults of creating webhooks since the last publish. */
	protected readonly creationFaults: Creation[] = [];

	constructor(
		accounts: Account[],
		n8n: EmulatedN8n,
		settings: Settings,
		protected account: Account,
	) {
		super(accounts, n8n, settings);
	}

	/** Publishes; the workflow may be published already. */
	async publish(): Promise<void> {
		const { n8n, settings } = this;
		await this.unpublish();
		const nodes = this.nodes();
		await this.activating(async () => await n8n.publish(...nodes), { settings, nodes }, nodes);
	}

	async unpublish(): Promise<void> {
		if (!this.published) return;
		const live = this.liveHooks();
		this.published = undefined;
		if (this.isRefusing) this.letStay();
		await this.n8n.unpublish();
		this.takeSnapshot();
		this.checkNamed(live);
	}

	/** Ends all faults but that of DELETE. */
	setDeletion(deletion: Deletion): void {
		this.deletion = deletion;
		this.creationFaults.length = 0;
		for (const { service } of this.accounts) {
			service.faults.clear();
			service.settings.hookDeletion =
				typeof deletion === 'number' && deletion !== 500 ? deletion : 204;
			const kind = deletionFault(deletion);
			const times = deletion === 'busy' ? 2 * this.settings.events.length : Infinity;
			if (kind) service.faults.add({ method: 'DELETE', kind, times });
		}
	}

	failToCreate(creation: Creation, skip: number): void {
		const when = ({ body }: { body?: unknown }) =>
			Object(body).event === this.settings.events[skip];
		const fault = creationFault(creation);
		this.creationFaults.push(creation);
		const only = creation === 403 ? { when, times: 5 } : { skip };
		this.account.service.faults.add({ method: 'POST', path: /hooks$/, ...fault, ...only });
	}

	protected async publishEdited(): Promise<void> {
		const { n8n, settings } = this;
		const nodes = this.nodes();
		const earlier = this.published?.nodes.map((node) => JSON.stringify(node)) ?? [];
		const edited = nodes.filter((node) => !earlier.includes(JSON.stringify(node)));
		await this.activating(async () => await n8n.publish(...nodes), { settings, nodes }, edited);
	}

	/** Activates triggers and checks that each event of a published workflow starts a run. */
	protected async activating(
		work: () => Promise<void>,
		publication: Publication,
		nodes: INode[],
		{ isChecked = true, isPublish = true, isChanged = false } = {},
	): Promise<void> {
		const { account, n8n } = this;
		for (const { id } of nodes) {
			const before = this.activations.get(id)?.publishedAt ?? 0;
			const publishedAt = isPublish ? Date.now() : before;
			const { apiKey, address } = n8n;
			this.activations.set(id, { account, apiKey, address, publishedAt });
		}
		const live = this.liveHooks();
		const createdBefore = this.creations().length;
		if (this.isRefusing) this.letStay();
		const [result] = await Promise.allSettled([work()]);
		if (this.isRefusing) this.letRefusedStay();
		this.takeSnapshot();
		this.checkCreations(this.creations().slice(createdBefore));
		const added = this.liveHooks().filter(({ id }) => !live.some((one) => one.id === id));
		const most = 2 * nodes.length * publication.settings.events.length;
		const isLost = this.creationFaults.includes('lost');
		assert(added.length <= most + Number(isLost), `one publish added ${added.length} webhooks`);
		const isLogged = ({ id }: Hook) => this.n8n.log.includes(`Webhook ${id} (`);
		for (const hook of added) if (isLost && !isLogged(hook)) this.unknown.add(hook.id);
		const isNamed = !isLost || this.n8n.log.includes('Webhook of unknown ID');
		assert(isNamed || added.every(isLogged), 'the log does not name a webhook of unknown ID');
		if (result.status === 'rejected') {
			this.published = undefined;
			assert(this.isFaulty(), `publishing failed without a fault: ${String(result.reason)}`);
			return this.checkNamed(this.liveHooks());
		}
		this.published = publication;
		this.setDeletion(this.deletion);
		if (isPublish) for (const { id } of nodes) this.stale.delete(id);
		// A start that changes nothing tries no removal again, as the log says.
		if (this.deletion === 204 && (isPublish || isChanged))
			this.checkReplaced(publication.settings, nodes);
		if (isChecked && n8n.hasCredential) await this.checkReceives(publication.settings, nodes);
	}

	/** n8n tries a failed publish again and again, which must not create the other webhooks each time. */
	private checkCreations(targets: string[]): void {
		const counts = targets.map((one) => targets.filter((other) => other === one).length);
		const most = Math.max(0, ...counts);
		const faults = this.creationFaults.length;
		assert(most <= 1 + faults, `one publish with ${faults} faults created a webhook ${most} times`);
	}

	/** Returns the event and target of each webhook that the service created. */
	private creations(): string[] {
		const created = this.account.service.requests.filter(
			({ method, path, carriedOut }) => method === 'POST' && path.endsWith('/hooks') && carriedOut,
		);
		return created.map(({ rawBody }) => rawBody);
	}

	/** A publish may fail only because of the service, or without a credential. */
	protected isFaulty(): boolean {
		return !this.n8n.hasCredential || this.creationFaults.length > 0;
	}

	/** Each event has a webhook whose delivery starts a run. */
	protected async checkReceives(settings: Settings, nodes: INode[]): Promise<void> {
		const { account } = this;
		for (const event of settings.events) {
			for (const node of nodes) {
				const hook = this.hooksOf(account)
					.filter((one) => one.event === event && nodeOf(one) === node.id && this.isOfToday(one))
					.at(-1);
				assert(hook !== undefined, `no webhook for ${event} after publishing`);
				if (!hook) return;
				const fresh = { event: 0, account: 0, record: ++this.count, value: ++this.count + 100 };
				const { feedback } = account.service.state;
				const change = changeOf(event, { ...fresh, isEarlier: false }, feedback, ++this.count);
				const delivery = { change, account, hook, tries: 0 };
				await this.post(delivery);
				const isRun = this.runs.get(keyOf(delivery)) === 1;
				const passes = this.passes(delivery, settings);
				assert(isRun || passes !== true, `a change of ${event} started no run after publishing`);
			}
		}
	}

	/** Earlier webhooks of the nodes are gone. */
	protected checkReplaced({ events }: Settings, nodes: INode[]): void {
		for (const { id } of nodes) {
			const hooks = this.liveHooks().filter((one) => nodeOf(one) === id && !this.mayStay(one));
			const isOne = hooks.every(({ event }, i) => {
				const same = hooks.findIndex((one) => one.event === event);
				return same === i && events.includes(event);
			});
			assert(isOne, 'an earlier webhook stayed after publishing');
		}
	}

	protected mayStay({ id }: Hook): boolean {
		return this.staying.has(id) || this.unknown.has(id);
	}

	/** True for a webhook of n8n's current address and the credential's current key. */
	protected isOfToday({ id, target }: Hook): boolean {
		return target.startsWith(this.n8n.address) && this.keys.get(id) === this.n8n.apiKey;
	}

	/** The log names every webhook that is left at the service. */
	protected checkNamed(candidates: Hook[]): void {
		const lines = this.n8n.warnings.join('\n');
		const live = this.liveHooks().map(({ id }) => id);
		for (const { id } of candidates) {
			const isNamed = lines.includes(`Webhook ${id} (`) || this.unknown.has(id);
			assert(
				isNamed || !live.includes(id),
				this.n8n.log + `webhook ${id} is left, and the log does not name it`,
			);
		}
	}

	/** True while the service says that it cannot remove webhooks, so that nobody tries again. */
	protected get isRefusing(): boolean {
		return this.deletion === 404 || this.deletion === 405;
	}

	protected letStay(): void {
		for (const { id } of this.liveHooks()) this.staying.add(id);
	}

	/** A webhook whose removal the service has refused stays until somebody removes it by hand. */
	protected letRefusedStay(): void {
		for (const account of this.accounts) {
			for (const id of this.removalsAt(account)) this.staying.add(id);
		}
	}

	/** Returns the webhooks whose removal was requested, in order. */
	protected removalsAt({ service }: Account): number[] {
		const requests = service.requests.filter(({ method }) => method === 'DELETE');
		return requests.map(({ path }) => Number(path.split('/').at(-1)));
	}

	protected nodes(): INode[] {
		const first = this.n8n.node(this.parameters(), { id: 'node', name: this.name });
		if (!this.settings.hasTwoTriggers) return [first];
		const { events, ignoreRepeats } = this.settings;
		const parameters = { events, options: { ignoreRepeats } };
		return [first, this.n8n.node(parameters, { id: 'copy', name: 'Copy' })];
	}

	protected parameters(): INodeParameters {
		const { events, minScore, campaign, routeBy, simplify, ignoreRepeats } = this.settings;
		return {
			events,
			routeBy,
			simplify,
			filters: {
				...(minScore !== undefined && { minScore }),
				...(campaign !== '' && { campaignIds: [campaign] }),
			},
			options: { ignoreRepeats },
		};
	}

	protected takeSnapshot(): void {
		for (const { id } of this.liveHooks()) {
			if (!this.keys.has(id)) this.keys.set(id, this.n8n.apiKey);
		}
		this.snapshots.push({ at: Date.now(), data: JSON.stringify(this.n8n.saved) });
	}
}

function deletionFault(deletion: Deletion): Fault['kind'] | undefined {
	if (deletion === 500 || deletion === 'busy') {
		return { status: 500, body: { detail: 'Server Error' } };
	}
	if (deletion === 'lost') return 'reset-after';
	if (deletion === 'html') return HTML;
	return undefined;
}

const HTML = { status: 502, body: '<html>Bad Gateway</html>' };

function creationFault(creation: Creation): Pick<Fault, 'kind' | 'times'> {
	if (creation === 'lost') return { kind: 'reset-after', times: 1 };
	if (creation === 'html') return { kind: HTML, times: 1 };
	const headers: Record<string, string> = creation === 429 ? { 'retry-after': '5' } : {};
	const kind = { status: creation, headers, body: { detail: 'Not now' } };
	return { kind, times: creation === 503 ? 5 : 1 };
}
