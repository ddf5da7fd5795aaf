import type { SurveyCard } from '../core/customerUi';
import type { RecordedRequest } from '../core/requestLog';
import { routesOf } from '../core/routes';
import { SurveyService, type ServiceOptions } from '../core/service';
import { commonRepliesRoutes } from './commonReplies';
import { contactsRoutes } from './contacts';
import {
	answerSurvey,
	customerAnswersRoutes,
	surveyCards,
	type AnswerToB,
} from './customerAnswers';
import { feedbackRoutes } from './feedback';
import { followupsRoutes } from './followups';
import { guard } from './guard';
import { hooksRoutes } from './hooks';
import { metricsRoutes } from './metrics';
import type { Contact, Feedback } from './records';
import { refusal } from './refusals';
import { seed, seedContacts, seedFeedback } from './seed';
import { differencesB, SettingsB } from './settings';
import { StateB, type ContextB } from './state';
import { surveysRoutes } from './surveys';
import { WebhookSender, type Delivery } from './webhookDeliveries';

/** Survey service B on loopback. */
export class ServiceB extends SurveyService implements ContextB {
	readonly title = 'Survey B sandbox';

	apiKey = 'example-key-of-service-b';

	readonly settings = new SettingsB();

	readonly state = new StateB();

	readonly routes = routesOf<ContextB>(
		{
			...commonRepliesRoutes,
			...contactsRoutes,
			...customerAnswersRoutes,
			...feedbackRoutes,
			...followupsRoutes,
			...hooksRoutes,
			...metricsRoutes,
			...surveysRoutes,
		},
		this,
	);

	private readonly sender = new WebhookSender(this.state, this.settings);

	/** All deliveries, in order. */
	readonly deliveries = this.sender.deliveries;

	override async close(): Promise<void> {
		this.sender.end();
		await super.close();
	}

	protected guard(request: RecordedRequest): void {
		guard(request, this);
	}

	protected refusal(status: number, detail: string) {
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
