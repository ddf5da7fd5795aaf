import { ok, type Answer } from '../core/answer';
import type { Call } from '../core/routes';
import { paginate } from './pages';
import { invalid, refusal } from './refusals';
import type { WorldA } from './state';

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

/** The message lists `companyIndustry` where the documented option is `industryName`. */
const SORTS_IN_WORDS = SORTS.flatMap((sort) => [sort, `-${sort}`])
	.join(', ')
	.replace(/industryName/g, 'companyIndustry');

function validate({ query }: Call): void {
	for (const name of ['page', 'limit']) {
		const text = query.get(name);
		if (text !== null && !/^\d+$/.test(text)) throw invalid(`"${name}" must be a number`);
	}
	const sort = query.get('sort');
	if (sort !== null && !SORTS.includes(sort.replace(/^-/, ''))) {
		throw invalid(`"sort" must be one of [${SORTS_IN_WORDS}]`);
	}
}

/** GET /api/v2/companies: its page carries no `pages`. */
export function getCompanies({ state, settings }: WorldA, call: Call): Answer {
	validate(call);
	const maxLimit = Math.min(settings.maxLimit, settings.maxCompaniesLimit);
	const { rows, total, page, limit, sort } = paginate(state.companies, call, {
		limit: 20,
		maxLimit,
		sort: '-createdDate',
	});
	return ok({ code: 200, message: 'OK', data: { total, page, limit, sort, companies: rows } });
}

/** GET /api/v2/companies/{company}: by id or by domain. */
export function getCompany({ state }: WorldA, { params }: Call): Answer {
	const { company } = params;
	const data = state.companies.find(({ id, domain }) => id === company || domain === company);
	if (!data) throw refusal(404, 'Company record not found');
	return ok({ code: 200, message: 'OK', data });
}
