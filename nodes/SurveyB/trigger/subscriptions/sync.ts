import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../../../shared/http/failure';
import { secretHash, withOrphans, withoutOrphans } from '../state/records';
import type { Orphan, Subscription } from '../state/records';
import type { SubscriptionStore } from '../state/subscriptionStore';
import { planOf } from './plan';
import type { Place } from './plan';
import { WebhookApi } from './webhookApi';
import type { Removal } from './webhookApi';

/**
 * Makes and removes a node's subscriptions, keeps its store true at every step, and writes a line to
 * n8n's log for each subscription that is made, adopted, removed or orphaned.
 */
export class SubscriptionSync {
	private readonly api: WebhookApi;

	constructor(
		private readonly context: IHookFunctions,
		private readonly store: SubscriptionStore,
		private readonly place: Place,
	) {
		this.api = new WebhookApi(context, place);
	}

	/**
	 * Gives the node one subscription for each event: makes what is missing, then removes what is too
	 * much. Where one cannot be made, all that this call made is taken back.
	 *
	 * @throws Failure that names the event
	 */
	async begin(events: string[]): Promise<void> {
		const { store, place } = this;
		const { foundation } = store;
		const plan = planOf(foundation, events, place);
		store.save({ ...foundation, url: place.url, sampleTokenHash: undefined });
		store.beginTest();

		const token = randomBytes(24).toString('hex');
		const made = await this.subscribe(plan.missing, token);
		const subscriptions = [...plan.keep, ...plan.adopt, ...made];
		store.save({ subscriptions, orphans: plan.orphans });
		for (const adopted of plan.adopt) this.logAdopted(adopted);
		await this.unsubscribe(plan.leftover);
	}

	/** Removes all that the node has, and tries again what a passing fault had been in the way of. */
	async end(): Promise<void> {
		const { subscriptions, orphans } = this.store.registration;
		const again = orphans.filter(({ retry }) => retry);
		this.store.save({
			subscriptions: [],
			orphans: orphans.filter(({ retry }) => !retry),
			sampleTokenHash: undefined,
		});
		await this.unsubscribe([...subscriptions, ...again]);
	}

	private async subscribe(events: string[], token: string): Promise<Subscription[]> {
		const { processState } = this.store;
		const tokenHash = secretHash(token);
		const made: Subscription[] = [];
		processState.making = { tokenHash, events };
		for (const event of events) {
			const result = await this.api.create(event, token);
			if (result instanceof Failure) {
				processState.making = undefined;
				const lost = result.details.uncertain ? [{ event, tokenHash, ...this.place }] : [];
				await this.unsubscribe([...made, ...lost]);
				throw result;
			}
			made.push(result);
			this.log('info', `${nameOf(result)} was created in Survey B`);
		}
		processState.making = undefined;
		return made;
	}

	/**
	 * Removes subscriptions. From now on their deliveries are dropped; those that may be alive still
	 * stay remembered for that, and are told to the user.
	 */
	private async unsubscribe(unwanted: Orphan[]): Promise<void> {
		this.remember(unwanted);
		const removals = await Promise.all(unwanted.map(async (one) => await this.api.remove(one)));
		const left = removals.filter(({ kind }) => kind === 'orphaned');
		this.store.save({ orphans: withoutOrphans(this.store.registration.orphans, unwanted) });
		this.remember(left.map(({ subscription }) => subscription));
		for (const removal of removals) this.logRemoval(removal);
	}

	private remember(orphans: Orphan[]): void {
		this.store.save({ orphans: withOrphans(this.store.registration.orphans, orphans) });
	}

	private logAdopted(adopted: Subscription): void {
		this.log(
			'info',
			`${nameOf(adopted)} of Survey B, which could not be removed earlier, is used again. If it no longer exists in Survey B, replace this node with a new one`,
		);
	}

	private logRemoval(removal: Removal): void {
		const name = nameOf(removal.subscription);
		if (removal.kind === 'removed') this.log('info', `${name} was removed from Survey B`);
		else this.log('warn', `${name} ${removal.why}. Until then its deliveries are ignored`);
	}

	private log(level: 'info' | 'warn', message: string): void {
		const { id } = this.context.getWorkflow();
		this.context.logger[level](message, { workflowId: id, nodeName: this.context.getNode().name });
	}
}

/** `Webhook 901 (feedback.removed)`. Never a token. */
function nameOf({ id, event }: Orphan): string {
	return `Webhook ${id ?? 'of unknown ID'} (${event})`;
}
