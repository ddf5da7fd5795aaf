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
import { hooksRoutes } from './hooks';
import { metricsRoutes } from './metrics';
import { guard, refusal } from './refusals';
import { seed, seedContacts, seedFeedback } from './seed';
import { differencesB, usualB } from './settings';
import { StateB, type ContextB } from './state';
import { surveysRoutes } from './surveys';
import { WebhookSender } from './webhookDeliveries';

/** Survey service B on loopback. */
export class ServiceB extends SurveyService implements ContextB {
	readonly title = 'Survey B sandbox';

	apiKey = 'example-key-of-service-b';

	readonly settings = usualB();

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

	protected readonly guard = (request: RecordedRequest) => guard(request, this);

	protected readonly refusal = refusal;

	/** Sends an event to its subscriptions. */
	readonly emit = (event: string, data: unknown) => this.sender.emit(event, data);

	/** Sends an event to its subscriptions; resolves when all have responded or failed. */
	readonly deliver = async (event: string, data: unknown) => await this.sender.deliver(event, data);

	/** Resolves when no delivery is running. */
	readonly idle = async () => await this.sender.idle();

	readonly seedContacts = (count: number) => seedContacts(this, count);

	readonly seedFeedback = (count: number) => seedFeedback(this, count);

	readonly surveyCards = () => surveyCards(this);

	/** Answers a survey as the customer, or changes the earlier answer, and emits the events. */
	readonly answer = (answer: Omit<AnswerToB, 'campaignId'> & { campaignId: number | string }) =>
		answerSurvey(this, { ...answer, campaignId: Number(answer.campaignId) });

	protected restore(): void {
		this.sender.clear();
		Object.assign(this.settings, usualB(), differencesB);
		const { lastHookId } = this.state;
		const seeded = new StateB(this.options.seedFrom, this.settings);
		Object.assign(this.state, seeded, { lastHookId });
		seed(this);
	}
}

export async function startServiceB(options: ServiceOptions = {}): Promise<ServiceB> {
	return await new ServiceB(options).start();
}
