import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { Door } from '../../shared/door';
import { Failure } from '../../shared/failure';
import { path, post, remove } from '../../shared/request';
import { maybeEmpty } from '../../shared/json';
import { surveyB } from '../service';
import { listed } from './words';
import type { Ledger } from './ledger';
import { planOf } from './plan';
import type { Place } from './plan';
import { withOrphans } from './registration';
import type { Orphan, Subscription } from './registration';

/** n8n gives up on an activation after two minutes. */
const PATIENCE = { maxWait: 60, timeout: 30 };

const hookAnswer = z.object({ id: z.union([z.number(), z.string().min(1)]) });

/** Makes and removes a node's subscriptions, and keeps its ledger true at every step. */
export class Registrar {
	private readonly door: Door;

	constructor(
		private readonly context: IHookFunctions,
		private readonly ledger: Ledger,
		private readonly place: Place,
	) {
		this.door = new Door(context, surveyB, PATIENCE);
	}

	/**
	 * Gives the node one subscription for each event: makes what is missing, then removes what is too
	 * much. Where one cannot be made, all that this call made is taken back.
	 *
	 * @throws Failure that names the event
	 */
	async establish(events: string[]): Promise<void> {
		const { ledger, place } = this;
		const { foundation } = ledger;
		const plan = planOf(foundation, events, place);
		ledger.save({ ...foundation, url: place.url });

		const made = await this.subscribe(plan.missing);
		const subscriptions = [...plan.keep, ...plan.adopt, ...made];
		ledger.save({ subscriptions, orphans: plan.orphans });
		this.tellAdopted(plan.adopt);
		await this.unsubscribe(plan.leftover);
	}

	/** Removes all that the node has, and tries once more on what was in the way of a passing fault. */
	async dissolve(): Promise<void> {
		const { subscriptions, orphans } = this.ledger.registration;
		this.ledger.save({ subscriptions: [], orphans: orphans.filter(({ retry }) => !retry) });
		await this.unsubscribe([...subscriptions, ...orphans.filter(({ retry }) => retry)]);
	}

	private async subscribe(events: string[]): Promise<Subscription[]> {
		const token = randomBytes(24).toString('hex');
		const made: Subscription[] = [];
		this.ledger.memory.making = { token, events };
		try {
			for (const event of events) made.push(await this.make(event, token));
		} finally {
			this.ledger.memory.making = undefined;
			if (made.length < events.length) await this.unsubscribe(made);
		}
		return made;
	}

	private async make(event: string, token: string): Promise<Subscription> {
		const target = new URL(this.place.url);
		target.searchParams.set('token', token);
		const request = post('once', '/api/v2/hooks', { event, target: target.href });
		const answer = await this.door.send(request, hookAnswer).catch((error: unknown) => error);
		const { url, service } = this.place;
		if (!(answer instanceof Error)) return { id: hookAnswer.parse(answer).id, event, url, token, service };
		const failure = Failure.from(answer);
		const words = failure.details.words;
		throw failure;
	}
}
