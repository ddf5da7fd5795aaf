import type { CustomerAnswer } from '../core/page';
import type { RecordedRequest } from '../core/requestLog';
import { routesOf } from '../core/routes';
import { SurveyService, type ServiceOptions } from '../core/service';
import { campaignsRoutes } from './campaigns';
import { companiesRoutes } from './companies';
import { answerSurvey, surveyCards } from './customerAnswers';
import { customersRoutes } from './customers';
import { feedbackRoutes } from './feedback';
import type { Campaign, Customer } from './records';
import { guard, refusal } from './refusals';
import { reportsRoutes } from './reports';
import { seed, seedCompanies, seedCustomers, seedFeedback, seedOutbox, seedSurveyed } from './seed';
import { differencesA, usualA } from './settings';
import { StateA, type ContextA } from './state';
import { surveysRoutes } from './surveys';

/** Survey service A on loopback. */
export class ServiceA extends SurveyService implements ContextA {
	readonly title = 'Survey A sandbox';

	apiKey = 'example-key-of-service-a';

	/** A valid key that belongs to no account. */
	readonly keyWithoutAccount = 'example-key-without-account';

	readonly settings = usualA();

	readonly state = new StateA();

	readonly routes = routesOf<ContextA>(
		{
			...campaignsRoutes,
			...companiesRoutes,
			...customersRoutes,
			...feedbackRoutes,
			...reportsRoutes,
			...surveysRoutes,
		},
		this,
	);

	protected readonly refusal = refusal;

	protected readonly guard = (request: RecordedRequest) => guard(request, this);

	readonly seedCustomers = (count: number) => seedCustomers(this.state, count);

	readonly seedFeedback = (count: number) => seedFeedback(this.state, count);

	readonly seedCompanies = (count: number) => seedCompanies(this.state, count);

	readonly seedOutbox = (count: number) => seedOutbox(this.state, count);

	/** Adds a survey to the outbox for each customer, sent by a campaign `daysAgo` days ago. */
	readonly seedSurveyed = (customers: Customer[], sent: { campaign: Campaign; daysAgo: number }) =>
		seedSurveyed(this.state, customers, sent);

	readonly surveyCards = () => surveyCards(this.state);

	readonly answer = (answer: CustomerAnswer) => answerSurvey(this.state, answer);

	protected restore(): void {
		Object.assign(this.settings, usualA(), differencesA);
		Object.assign(this.state, new StateA(this.options.seedFrom, this.settings));
		seed(this.state);
	}
}

export async function startServiceA(options: ServiceOptions = {}): Promise<ServiceA> {
	return await new ServiceA(options).start();
}
