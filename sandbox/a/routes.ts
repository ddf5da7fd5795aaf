import { routesOf } from '../core/routes';
import { campaignsRoutes } from './campaigns';
import { companiesRoutes } from './companies';
import { customersRoutes } from './customers';
import { feedbackRoutes } from './feedback';
import { reportsRoutes } from './reports';
import { surveysRoutes } from './surveys';

/** The endpoints of the contract. */
export const routes = routesOf({
	...campaignsRoutes,
	...companiesRoutes,
	...customersRoutes,
	...feedbackRoutes,
	...reportsRoutes,
	...surveysRoutes,
});
