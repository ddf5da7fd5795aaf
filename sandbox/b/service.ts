import type { SurveyCard } from '../core/customerUi';
import type { RecordedRequest } from '../core/requestLog';
import { SurveyService, type ServiceOptions } from '../core/service';
import { answerSurvey, surveyCards, type AnswerToB } from './customerAnswers';
import { guard } from './guard';
import type { Contact, Feedback } from './records';
import { refusal } from './refusals';
import { routes } from './routes';
import { seed, seedContacts, seedFeedback } from './seed';
import { differencesB, SettingsB } from './settings';
import { StateB, type ContextB } from './state';
import { changeTag, removeTag } from './tags';
import { WebhookSender, type Delivery } from './webhookDeliveries';

/** Survey service B on loopback. */
export class ServiceB extends SurveyService<ContextB> {
	readonly title = 'Survey B sandbox';

	apiKey = 'example-key-of-service-b';

	readonly settings = new SettingsB();

	readonly state = new StateB();

	readonly context = this;

	readonly routes = routes;

	private readonly sender = new WebhookSender(this.state, this.settings);

	/** All deliveries, in order. */
	readonly deliveries = this.sender.deliveries;

	override async close(): Promise<void> {
		this.sender.end();
		await super.close();
	}

	guard(request: RecordedRequest): void {
		guard(request, this);
	}

	refusal(status: number, detail: string) {
		return refusal(status, detail);
	}

	/** Sends an event to its subscriptions. */
	emit(event: string, data: unknown): void {
		this.sender.emit(event, data);
	}

	/** Sends an event to its subscriptions; resolves when all have responded or failed. */
	async deliver(event: string, data: unknown): Promise<Delivery[]> {
		return await this.sender.deliver(event, data);
	}

	/** Resolves when no delivery is running. */
	async idle(): Promise<void> {
		await this.sender.idle();
	}

	seedContacts(count: number): Contact[] {
		return seedContacts(this, count);
	}

	seedFeedback(count: number): void {
		seedFeedback(this, count);
	}

	surveyCards(): SurveyCard[] {
		return surveyCards(this);
	}

	/** Answers a survey as the customer, or changes the earlier answer, and emits the events. */
	answer(answer: Omit<AnswerToB, 'campaignId'> & { campaignId: number | string }): Feedback {
		return answerSurvey(this, { ...answer, campaignId: Number(answer.campaignId) });
	}

	/** Marks a feedback as complete: it can no longer be forwarded. */
	markComplete(feedbackId: number): void {
		this.state.complete.add(feedbackId);
	}

	mergeTag(campaignId: number, before: string, after: string): void {
		changeTag(this, 'tag.merged', campaignId, before, after);
	}

	renameTag(campaignId: number, before: string, after: string): void {
		changeTag(this, 'tag.renamed', campaignId, before, after);
	}

	removeTag(campaignId: number, name: string): void {
		removeTag(this, campaignId, name);
	}

	protected restore(): void {
		this.sender.clear();
		Object.assign(this.settings, new SettingsB(), differencesB);
		Object.assign(this.state, new StateB(this.options.seedFrom));
		seed(this);
	}
}

export async function startServiceB(options: ServiceOptions = {}): Promise<ServiceB> {
	return await new ServiceB(options).start();
}
