import { routesOf } from '../core/routes';
import { commonRepliesRoutes } from './commonReplies';
import { contactsRoutes } from './contacts';
import { customerAnswersRoutes } from './customerAnswers';
import { feedbackRoutes } from './feedback';
import { followupsRoutes } from './followups';
import { hooksRoutes } from './hooks';
import { metricsRoutes } from './metrics';
import { surveysRoutes } from './surveys';

/** The endpoints of the contract. */
export const routes = routesOf({
	...commonRepliesRoutes,
	...contactsRoutes,
	...customerAnswersRoutes,
	...feedbackRoutes,
	...followupsRoutes,
	...hooksRoutes,
	...metricsRoutes,
	...surveysRoutes,
});
