import { ok } from '../core/apiResponse';
import type { Call, Handlers } from '../core/routes';
import { pageResponse, paginate, type Rules } from './pages';
import { invalid, refusal } from './refusals';
import type { ContextA } from './state';

const SORTS = [
	'createdDate',
	'domain',
	'companyName',
	'industryName',
	'contactsCount',
	'cxMetrics.NPS',
	'cxMetrics.CSAT',
	'cxMetrics.CES',
	'cxMetrics.STAR',
];

/** The contract: the message lists `companyIndustry`, although the option is `industryName`. */
const SORTS_IN_MESSAGE = SORTS.flatMap((sort) => [sort, `-${sort}`])
	.join(', ')
	.replace(/industryName/g, 'companyIndustry');

function validate({ query }: Call, industrySort: string): void {
	for (const name of ['page', 'limit']) {
		const text = query.get(name);
		if (text !== null && !/^\d+$/.test(text)) throw invalid(`"${name}" must be a number`);
	}
	const sort = query.get('sort');
	const accepted = SORTS.map((one) => (one === 'industryName' ? industrySort : one));
	if (sort !== null && !accepted.includes(sort.replace(/^-/, ''))) {
		throw invalid(`"sort" must be one of [${SORTS_IN_MESSAGE}]`);
	}
}

export const companiesRoutes: Handlers<ContextA> = {
	/** The response has no `pages`. */
	'GET /api/v2/companies': (context, call) => {
		const { state, settings } = context;
		validate(call, settings.industrySort);
		const maxLimit = Math.min(settings.maxLimit, settings.maxCompaniesLimit);
		const rules: Rules = { maxLimit, sorts: 'any' };
		const {
			rows: companies,
			total,
			page,
			limit,
			sort,
		} = paginate(context, call, state.companies, rules);
		return pageResponse(context, { total, page, limit, sort, companies });
	},

	'GET /api/v2/companies/{company}': ({ state }, { params }) => {
		const { company } = params;
		const data = state.companies.find(({ id, domain }) => id === company || domain === company);
		if (!data) throw refusal(404, 'Company record not found');
		return ok({ code: 200, message: 'OK', data });
	},
};
