import { hintFor } from '../../../nodes/shared/http/outcome';
import { surveyA } from '../../../nodes/SurveyA/service';
import { surveyB } from '../../../nodes/SurveyB/service';

// The hints that no case of test/contract/errors shows.

describe.each([
	[surveyA, 'There is no transactional NPS campaign', 404, /^Activate a transactional/],
	[surveyB, 'Request was throttled.', 429, /'Requests per Minute'/],
])('hints for $name', (service, words, status, advice) => {
	test(`the message "${words}" has its hint`, () => {
		expect(hintFor(service, words, status)).toMatch(advice);
	});
});
