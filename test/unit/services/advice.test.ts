import { hintFor } from '../../../nodes/shared/http/response';
import { surveyA } from '../../../nodes/SurveyA/service';
import { surveyB } from '../../../nodes/SurveyB/service';

// The hints that no case of test/contract/errors shows.

describe.each([
	[surveyA, 'There is no transactional NPS campaign', /^Activate a transactional/],
	[surveyB, 'Request was throttled.', /'Requests per Minute'/],
])('hints for $name', (service, words, advice) => {
	test(`the message "${words}" has its hint`, () => {
		expect(hintFor(service, words, 400)).toMatch(advice);
	});

	test('another message has the hint of its HTTP code', () => {
		expect(hintFor(service, 'No', 401)).toMatch(/API key/);
		expect(hintFor(service, undefined, 400)).toBe('Check the values of this row');
		expect(hintFor(service, 'No', 400)).toMatch(/^Correct the value/);
		expect(hintFor(service, 'No', 500)).toBe('Try again later');
		expect(hintFor(service, 'No', 599)).toBe('Try again later');
		expect(hintFor(service, 'No', 499)).toBeUndefined();
	});

	test('the Authorization header has the scheme of the contract', () => {
		const scheme = service === surveyA ? 'api_key=' : 'Token ';
		expect(service.authorization('k')).toBe(`${scheme}k`);
	});
});
