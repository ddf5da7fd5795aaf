import { sleep } from 'n8n-workflow';

import { startServiceB } from '../../sandbox';
import type { ServiceB } from '../../sandbox';
import { EmulatedN8n } from '../contract/surveyBTrigger/emulatedN8n';
import { changeOf } from './surveyBTriggerChanges';
import type { RandomChange } from './surveyBTriggerChanges';
import {
	assert,
	describe,
	isForeign,
	isTestUrl,
	nodeOf,
	subjectOf,
	turns,
} from './surveyBTriggerDeliveries.mts';
import type { Delivery, Publication, Settings, StoredHook } from './surveyBTriggerDeliveries.mts';
import { Publishing } from './surveyBTriggerPublishing.mts';

// A service with two accounts, n8n, and users around one workflow with one or two triggers. The world knows the contract
// and n8n, and not how the trigger works.

export class World extends Publishing {
	private lastChange?: RandomChange;

	static async open(settings: Settings): Promise<World> {
		const first = { name: 'one', service: await startServiceB() };
		const second = { name: 'two', service: await startServiceB() };
		second.service.apiKey = 'another-key-of-service-b';
		second.service.state.lastId = 5000;
		for (const [at, { service }] of [first, second].entries()) {
			service.state.hooks = foreignHooks(at === 0 ? second.service : first.service);
			service.settings.equalWebhook = settings.equalWebhook;
			service.settings.extraEvents = ['survey.response_removed'];
		}
		const n8n = await EmulatedN8n.open(first.service);
		n8n.activationTries = 5;
		const world = new World([first, second], n8n, settings, first);
		world.setDeletion(settings.deletion);
		world.takeSnapshot();
		return world;
	}

	async close(): Promise<void> {
		this.held?.release();
		await this.n8n.idle();
		this.n8n.stopServing();
		for (const { service } of this.accounts) await service.close();
	}

	// Users

	async edit(changes: Partial<Settings>): Promise<void> {
		// A node that is gone retries no removal.
		if (changes.hasTwoTriggers === false && this.deletion !== 204) this.letStay();
		this.settings = { ...this.settings, ...changes };
		if (this.published) await this.publishEdited();
	}

	async rename(): Promise<void> {
		this.name = this.name === 'Trigger' ? 'Renamed' : 'Trigger';
		if (this.published) await this.publishEdited();
	}

	/** Listens in the editor while a change is delivered to all webhooks at the same moment. */
	async listenDuring(random: RandomChange): Promise<void> {
		const live = this.liveHooks();
		const node = this.nodes()[0];
		if (!node) return;
		const [listening] = await Promise.allSettled([this.n8n.listen(node)]);
		if (listening.status === 'fulfilled') {
			await this.changeRecord(random);
			await this.deliverTogether(2);
			await sleep(4000);
			await this.n8n.stopListening();
		}
		for (const { service } of this.accounts) removeWhere(service, isTestUrl);
		const kept = this.liveHooks().map(({ id }) => id);
		const lost = live.filter(({ id }) => !kept.includes(id));
		assert(lost.length === 0, `listening removed the live webhook ${lost[0]?.id}`);
	}

	/** Listens in the editor until the newest feedback comes out as a sample, and for nothing else. */
	async listenForSample(): Promise<void> {
		const [node] = this.nodes();
		const { account, n8n, settings } = this;
		const before = n8n.runs.length;
		const reads = account.service.requests.length;
		if (!node || this.held) return;
		const [listening] = await Promise.allSettled([n8n.listen(node)]);
		await sleep(5000);
		await n8n.idle();
		const started = n8n.runs.slice(before);
		if (listening.status === 'fulfilled') {
			if (started.length === 0) await n8n.stopListening();
			const isOfFeedback = settings.events.some((event) => event.startsWith('feedback.'));
			assert(started.length === Number(isOfFeedback), `${started.length} samples came out`);
			const lists = account.service.requests.slice(reads).filter(({ method }) => method === 'GET');
			assert(lists.length === Number(isOfFeedback), `${lists.length} requests for a sample`);
		}
		for (const { outputs, mode } of started) {
			const [item] = outputs.flat();
			assert(mode === 'manual' && item?.sample === true, 'feedback of a test is no sample');
		}
		for (const { service } of this.accounts) removeWhere(service, isTestUrl);
	}

	/** Listens in the editor after the user removed all events. */
	async listenInVain(): Promise<void> {
		const node = this.n8n.node({ events: [] }, { id: 'node', name: this.name });
		const live = this.liveHooks().length;
		const [listening] = await Promise.allSettled([this.n8n.listen(node)]);
		assert(listening.status === 'rejected', 'a test without an event listens');
		assert(this.liveHooks().length === live, 'a test without an event removed live webhooks');
	}

	/** Listens twice in the editor, and the same change is delivered each time, as when a user tries to cause it again. */
	async listenTwice(random: RandomChange): Promise<void> {
		const [node] = this.nodes();
		if (!node || this.held) return;
		const { account, n8n } = this;
		const event = pick(this.settings.events, random.event) ?? '';
		const change = changeOf(event, random, account.service.state.feedback, ++this.count);
		for (const time of ['first', 'second']) {
			this.advanceClock(1000);
			const [listening] = await Promise.allSettled([n8n.listen(node)]);
			const hook = this.hooksOf(account, false).find(
				(one) => one.event === event && isTestUrl(one.target),
			);
			if (listening.status === 'fulfilled' && hook) {
				const before = n8n.runs.length;
				const delivery = { change, account, hook, tries: 0 };
				await this.send(delivery);
				await n8n.idle();
				const isRun = n8n.runs.slice(before).some(({ mode }) => mode === 'manual');
				const mayRun = isRun || this.passes(delivery, this.settings) !== true;
				assert(mayRun, `no test run for ${describe(delivery)} the ${time} time`);
				await n8n.stopListening();
			}
			for (const { service } of this.accounts) removeWhere(service, isTestUrl);
		}
	}

	editCredential(index: number): void {
		this.letStay();
		const account = pick(this.accounts, index);
		if (!account) return;
		this.account = account;
		this.n8n.hasCredential = true;
		this.n8n.baseUrl = account.service.url;
		this.n8n.apiKey = account.service.apiKey;
	}

	rotateKey(): void {
		this.account.service.apiKey = `rotated-key-number-${++this.count}`;
		this.editCredential(this.accounts.indexOf(this.account));
	}

	deleteCredential(): void {
		this.n8n.hasCredential = false;
		this.letStay();
	}

	/** Removes webhooks by hand, as the log says, and publishes at once. */
	async removeByHandAndPublish(index: number): Promise<void> {
		const hook = pick(this.liveHooks(), index);
		if (hook) this.removeHook(hook.id);
		await this.publish();
	}

	// Events in n8n

	/** @param back which earlier version of the static data n8n starts with; 0 for the last one */
	async restart(back = 0): Promise<void> {
		this.overwrite(back);
		await this.start(this.published);
	}

	/** Other events are chosen by an import into the database, of which n8n learns when it starts. */
	async importEvents(events: string[]): Promise<void> {
		this.settings = { ...this.settings, events };
		const { published, settings } = this;
		const isChanged = inOrder(events) !== inOrder(published?.settings.events ?? []);
		await this.start(published && { settings, nodes: this.nodes() }, isChanged);
	}

	/** @param isChanged true if the events were changed while n8n was down */
	private async start(publication?: Publication, isChanged = false): Promise<void> {
		const { n8n } = this;
		this.recoverHeld();
		if (!publication) return await n8n.restartQuietly();
		// Outdated static data may list webhooks that no longer exist, until the next publish.
		const isChecked = this.stale.size === 0;
		const { nodes } = publication;
		const isSame = !isChanged && isChecked && nodes.every(({ id }) => this.isActivationOfToday(id));
		const work = async () => {
			const before = this.requestCount;
			await n8n.restart(...nodes);
			assert(!isSame || this.requestCount === before, 'a start that changes nothing sent requests');
		};
		await this.activating(work, publication, nodes, { isChecked, isPublish: false, isChanged });
	}

	/** True if n8n's address and the credential are those of a node's last activation. */
	private isActivationOfToday(id: string): boolean {
		const { apiKey, address, hasCredential } = this.n8n;
		const last = this.activations.get(id);
		const isSame = last?.account === this.account && last.apiKey === apiKey;
		return hasCredential && isSame && last.address === address;
	}

	private get requestCount(): number {
		return this.accounts.reduce((sum, { service }) => sum + service.requests.length, 0);
	}

	/**
	 * Restarts n8n, which finds its webhooks in the database and calls no trigger.
	 *
	 * @param back which earlier version of the static data n8n starts with; 0 for the last one
	 */
	async restartQuietly(back = 0): Promise<void> {
		this.overwrite(back);
		this.recoverHeld();
		await this.n8n.restartQuietly();
	}

	/** Restarts n8n with another public address, which reaches the same server. */
	async moveTo(address: string, isQuiet: boolean): Promise<void> {
		this.letStay();
		this.n8n.address = this.n8n.address.replace(/localhost|127\.0\.0\.1/, address);
		await (isQuiet ? this.restartQuietly() : this.restart());
	}

	/**
	 * Somebody unpublishes the workflow in an n8n that has a copy of the database and another address, or a copy of the
	 * workflow with its static data.
	 */
	async unpublishCopy(of: 'database' | 'workflow'): Promise<void> {
		const { published, n8n } = this;
		if (!published) return;
		const { address, saved, workflowId } = n8n;
		const live = this.liveHooks();
		this.recoverHeld();
		if (of === 'database') n8n.address = 'http://copy.example:5678';
		else n8n.workflowId += '-copy';
		await n8n.restartQuietly();
		await n8n.unpublish();
		const kept = this.liveHooks().map(({ id }) => id);
		const lost = live.find(({ id }) => !kept.includes(id));
		assert(lost === undefined, `unpublishing a copy removed webhook ${lost?.id}`);
		Object.assign(n8n, { address, saved, workflowId });
		await this.start(published);
	}

	/** A run that began earlier, or another process, saves its outdated static data. */
	overwrite(back: number): void {
		this.takeSnapshot();
		const snapshot = this.snapshots.at(-1 - (back % this.snapshots.length));
		if (!snapshot || back === 0 || snapshot.data === this.snapshots.at(-1)?.data) return;
		this.n8n.saved = JSON.parse(snapshot.data);
		for (const { id } of this.published?.nodes ?? []) this.stale.add(id);
		for (const { id } of this.liveHooks()) this.unknown.add(id);
		for (const one of [...this.seen.values()].flat()) one.isCertain = false;
	}

	async switchProcess(): Promise<void> {
		// A run in the queue is known to its own process only.
		if (this.held) return;
		this.loseUnstored();
		await this.n8n.switchProcess();
	}

	/** The queued run starts. */
	async release(): Promise<void> {
		const { held } = this;
		if (!held) return;
		const before = this.n8n.runs.length;
		this.held = undefined;
		held.release();
		await this.n8n.idle();
		const started = this.n8n.runs.slice(before).length;
		assert(started === 1, 'a queued run did not start');
		held.seen.at = Date.now();
		// n8n saves the static data that it loaded when the delivery came.
		this.takeSnapshot();
	}

	// The service

	/** A record changes at an account; the service queues a delivery to each webhook of the event. */
	async changeRecord(random: RandomChange): Promise<Delivery[]> {
		const accounts = this.accounts.filter((one) => this.hooksOf(one).length > 0);
		const account = pick(accounts, random.account) ?? this.account;
		const event = pick(this.settings.events, random.event) ?? '';
		const change = changeOf(event, random, account.service.state.feedback, ++this.count);
		const hooks = this.hooksOf(account, false).filter((hook) => hook.event === event);
		const deliveries = hooks.map((hook) => ({ change, account, hook, tries: 0 }));
		this.lastChange = random;
		this.waiting.push(...deliveries);
		return deliveries;
	}

	/** Several changes of one record are delivered in any order, some of them repeatedly. */
	async deliverMixed(random: RandomChange, values: number[], order: number[]): Promise<void> {
		const deliveries: Delivery[] = [];
		for (const value of values) deliveries.push(...(await this.changeRecord({ ...random, value })));
		for (const index of order) {
			const delivery = pick(deliveries, index);
			if (!delivery || !this.exists(delivery)) return;
			this.advanceClock(1000);
			await this.post(delivery);
		}
	}

	/** A record changes, changes otherwise, and changes back, and each delivery arrives in time. */
	async changeThereAndBack(random: RandomChange, other: number): Promise<void> {
		for (const value of [random.value, other, random.value]) {
			this.advanceClock(1000);
			const deliveries = await this.changeRecord({ ...random, value });
			for (const delivery of deliveries) await this.post(delivery);
		}
	}

	/** A change waits in the queue of n8n, and the service repeats its delivery. */
	async holdAndRepeat(random: RandomChange, seconds: number): Promise<void> {
		const [delivery] = await this.changeRecord(random);
		if (!delivery) return;
		await this.hold(delivery);
		this.advanceClock(seconds * 1000);
		await this.post(delivery);
	}

	/** A change waits in the queue of n8n while another one of its record runs; then the service repeats the other one. */
	async overtake(random: RandomChange, value: number): Promise<void> {
		const [first] = await this.changeRecord(random);
		const [second] = await this.changeRecord({ ...random, value });
		if (!first || !second || this.held) return;
		await this.hold(first);
		await this.post(second);
		await this.release();
		await this.post(second);
	}

	/** n8n restarts, and the service repeats what it delivered last. */
	async restartAndRepeat(address?: string): Promise<void> {
		const last = this.delivered.slice(-8);
		await (address === undefined ? this.restart() : this.moveTo(address, false));
		for (const delivery of last) {
			if (this.exists(delivery)) await this.post(delivery);
		}
	}

	async repeatLastChange(): Promise<void> {
		const { lastChange } = this;
		if (!lastChange) return;
		for (const delivery of await this.changeRecord(lastChange)) await this.post(delivery);
	}

	/** Delivers all that waits at the same moment, each several times. */
	async deliverTogether(repeats: number): Promise<void> {
		if (this.held) return;
		// One of each record, since the order of those that arrive at the same moment is open.
		const waiting = this.waiting.filter((one) => this.exists(one));
		const byRecord = new Map(waiting.map((one) => [[one.hook.id, subjectOf(one)].join(' '), one]));
		const deliveries = [...byRecord.values()].slice(-4);
		const all = deliveries.flatMap((one) => Array.from({ length: repeats }, () => one));
		const before = this.n8n.runs.length;
		// Storing lasts until all have arrived.
		this.n8n.store = async () => await turns(50);
		const statuses = await Promise.all(all.map(async (one) => await this.send(one)));
		await this.n8n.idle();
		this.n8n.store = async () => {};
		const started = this.n8n.runs.slice(before).filter(({ mode }) => mode === 'webhook');
		all.forEach((delivery, i) => this.finish(delivery, statuses[i]));
		const outcomes = [...new Set(all)].map((delivery) => {
			const mine = started.filter((run) => this.isRunOf(run, delivery)).length;
			const worst = Math.max(...statuses.filter((_, i) => all[i] === delivery).map(Number));
			return { delivery, worst, mine };
		});
		// Of two webhooks of one event, one delivery starts the run.
		outcomes.sort((one, other) => other.mine - one.mine);
		for (const { delivery, worst, mine } of outcomes) this.check(delivery, worst, mine);
	}

	async deliver(index: number, how: 'stored' | 'failing' | 'held' | 'again'): Promise<void> {
		const list = how === 'again' ? [...this.delivered].reverse() : this.waiting;
		const delivery = pick(list, index);
		if (!delivery || !this.exists(delivery)) return;
		if (how === 'held') await this.hold(delivery);
		else if (how === 'failing') await this.failToStore(delivery);
		else await this.post(delivery);
	}

	async strangerCalls(): Promise<void> {
		const hook = this.liveHooks().find((one) => this.isPublished(one));
		if (!hook) return;
		const [address = ''] = hook.target.split('?');
		const runs = this.n8n.runs.length;
		for (const query of ['', '?token=', '?token=guess', '?token=a&token=b']) {
			const body = { hook: { ...hook, target: address + query }, data: { id: 1, score: 1 } };
			await this.callInVain(address + query, body, 401);
		}
		const others = this.liveHooks().filter((one) => this.isPublished(one));
		const other = others.find((one) => nodeOf(one) !== nodeOf(hook));
		if (other) {
			const target = hook.target.replace(nodeOf(hook), nodeOf(other));
			await this.callInVain(target, { hook: { ...hook, target }, data: { id: 1, score: 1 } }, 401);
		}
		const known = this.keys.get(hook.id) === this.activations.get(nodeOf(hook))?.apiKey;
		if (known && !this.stale.has(nodeOf(hook)))
			await this.callInVain(hook.target, { hook, data: 'text' }, 400);
		if (!this.held) await this.n8n.idle();
		assert(this.n8n.runs.length === runs, 'a stranger started a run');
	}

	/** Without the credential, n8n cannot say whether a token is wrong. */
	private async callInVain(url: string, body: object, expected: number): Promise<void> {
		const { status } = await this.n8n.post(url, body);
		const mayFail = !this.n8n.hasCredential && url.includes('?token=');
		const isRight = status === expected || (mayFail && status === 500);
		assert(isRight, `a call that is no valid delivery was answered ${status}, not ${expected}`);
	}

	// Checks

	/** Ends all faults: what still waits is delivered and run. */
	async settle(): Promise<void> {
		await this.release();
		for (const { service } of this.accounts) service.faults.clear();
		for (const delivery of [...this.waiting]) {
			if (this.exists(delivery)) await this.post(delivery);
		}
		const { published } = this;
		if (published && this.n8n.hasCredential) await this.publish();
		this.checkSecrets();
		await this.checkCleared();
		const foreign = this.accounts.flatMap(({ service }) => service.state.hooks.filter(isForeign));
		assert(foreign.length === 2 * FOREIGN, 'the trigger removed a webhook of another program');
	}

	private checkSecrets(): void {
		const token = this.liveHooks()[0]?.target.split('token=')[1];
		const outputs = this.n8n.runs.map((run) => run.outputs);
		const text = this.n8n.log + JSON.stringify([outputs, this.n8n.saved]);
		assert(
			token === undefined || !text.includes(token),
			'the token is in a log, an item or static data',
		);
	}

	/** Unpublishing removes all webhooks once the service lets it, also those whose removal had failed. */
	private async checkCleared(): Promise<void> {
		if (!this.published || !this.n8n.hasCredential) return;
		this.setDeletion(204);
		await this.unpublish();
		const left = this.liveHooks().find((hook) => !this.mayStay(hook));
		assert(left === undefined, `webhook ${left?.id} is left after a removal that works`);
		await this.checkForgotten();
		this.setDeletion(405);
		if (this.settings.equalWebhook === 'another') await this.checkForgotten();
	}

	/** Nobody asks again for a removal that the service has confirmed, or refused for good. */
	private async checkForgotten(): Promise<void> {
		await this.publish();
		await this.unpublish();
		const earlier = this.liveHooks().map(({ id }) => id);
		const before = this.removalsAt(this.account).length;
		await this.publish();
		await this.unpublish();
		const removed = this.removalsAt(this.account).slice(before);
		const isOnce = removed.length === new Set(removed).size;
		const again = removed.find((id) => earlier.includes(id));
		assert(isOnce && again === undefined, `the removal of webhook ${again} was tried again`);
	}

	private removeHook(id: number): void {
		for (const { service } of this.accounts) {
			const at = service.state.hooks.findIndex((hook) => hook.id === id && !isForeign(hook));
			if (at >= 0) service.state.hooks.splice(at, 1);
		}
	}
}

const FOREIGN = 200;

/** Returns webhooks of another program, with the IDs that the other account will give to its webhooks. */
function foreignHooks({ state }: ServiceB): StoredHook[] {
	return Array.from({ length: FOREIGN }, (_, i) => ({
		id: state.lastId + 1 + i,
		event: 'tag.removed',
		target: 'https://other.example/',
	}));
}

function removeWhere({ state }: ServiceB, isRemoved: (target: string) => boolean): void {
	state.hooks = state.hooks.filter(({ target }) => !isRemoved(String(target)));
}

function pick<Entry>(list: Entry[], index: number): Entry | undefined {
	return list[index % Math.max(1, list.length)];
}

function inOrder(events: string[]): string {
	return [...events].sort().join();
}
