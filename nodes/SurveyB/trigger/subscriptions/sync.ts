import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../../../shared/http/failure';
import { WebhookApi } from './webhookApi';
import type { SubscriptionStore } from '../state/subscriptionStore';
import { planOf } from './plan';
import type { Place } from './plan';
import { withOrphans, withoutOrphans } from '../state/records';
import type { Orphan, Subscription } from '../state/records';

/** Makes and removes a node's subscriptions, and keeps its store true at every step. */
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
		store.save({ ...foundation, url: place.url });
		store.beginTest();

		const made = await this.subscribe(plan.missing);
		const subscriptions = [...plan.keep, ...plan.adopt, ...made];
		store.save({ subscriptions, orphans: plan.orphans });
		this.logAdopted(plan.adopt);
		await this.unsubscribe(plan.leftover);
	}

	/** Removes all that the node has, and tries again what a passing fault had been in the way of. */
	async end(): Promise<void> {
		const { subscriptions, orphans } = this.store.registration;
		const again = orphans.filter(({ retry }) => retry);
		this.store.save({ subscriptions: [], orphans: orphans.filter(({ retry }) => !retry) });
		await this.unsubscribe([...subscriptions, ...again]);
	}

	private async subscribe(events: string[]): Promise<Subscription[]> {
		const token = randomBytes(24).toString('hex');
		const made: Subscription[] = [];
		this.store.processState.making = { token, events };
		for (const event of events) {
			const result = await this.api.make(event, token);
			if (result instanceof Failure) {
				this.store.processState.making = undefined;
				const lost = result.details.uncertain ? [{ event, token, ...this.place }] : [];
				await this.unsubscribe([...made, ...lost]);
				throw result;
			}
			made.push(result);
		}
		this.store.processState.making = undefined;
		return made;
	}

	/**
	 * Removes subscriptions. From now on their deliveries are dropped; those that may be alive still
	 * stay remembered for that, and are told to the user.
	 */
	private async unsubscribe(unwanted: Orphan[]): Promise<void> {
		this.remember(unwanted);
		const answers = await Promise.all(unwanted.map(async (one) => await this.api.remove(one)));
		const left = answers.filter((one) => one !== undefined);
		this.store.save({ orphans: withoutOrphans(this.store.registration.orphans, unwanted) });
		this.remember(left);
		this.logOrphaned(left);
	}

	private remember(orphans: Orphan[]): void {
		this.store.save({ orphans: withOrphans(this.store.registration.orphans, orphans) });
	}

	private logOrphaned(orphans: Orphan[]): void {
		if (orphans.length === 0) return;
		this.log(
			'warn',
			`Survey B did not confirm that these webhook subscriptions are removed: ${listed(orphans)}. Their deliveries are ignored. If they still exist, remove them in the webhook settings of Survey B`,
		);
	}

	private logAdopted(adopted: Subscription[]): void {
		if (adopted.length === 0) return;
		this.log(
			'info',
			`These webhook subscriptions of Survey B, which could not be removed earlier, serve again: ${listed(adopted)}. If you removed one of them by hand, deactivate this workflow and activate it once more`,
		);
	}

	private log(level: 'info' | 'warn', message: string): void {
		const { id } = this.context.getWorkflow();
		this.context.logger[level](message, { workflowId: id, nodeName: this.context.getNode().name });
	}
}

/** `901 (feedback.removed), one of unknown ID (tag.merged)`. Never a token. */
function listed(orphans: Orphan[]): string {
	return orphans.map(({ id, event }) => `${id ?? 'one of unknown ID'} (${event})`).join(', ');
}
