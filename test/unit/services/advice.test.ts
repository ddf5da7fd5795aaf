import { hintFor } from '../../../nodes/shared/http/response';
import { surveyA } from '../../../nodes/SurveyA/service';
import { surveyB } from '../../../nodes/SurveyB/service';

// The hint for each known message of a service.

const A: Array<[words: string, advice: RegExp]> = [
	['Campaign is not transactional', /transactional campaign/],
	['Campaign is not active', /^Activate the campaign/],
	['The campaign is not enabled', /^Activate the campaign/],
	['Invalid email address', /^Correct the email/],
	['Account not found', /API key/],
	['Missing authorization key', /API key/],
	['Invalid API key', /API key/],
	['Authentication required', /API key/],
	['Customer not found', /^Check the customer ID/],
	['Company record not found', /^Check the company ID/],
	['Feedback record not found', /^Check the feedback ID/],
	['There is no transactional NPS campaign', /^Activate a transactional/],
	['Campaign 7 could not be found', /^Choose the campaign/],
	['Campaign not found', /^Choose the campaign/],
	['Validation failed: "sort" must be one of', /'Sort By'/],
	['Validation failed', /24 hexadecimal/],
	['An error occurred', /24 hexadecimal/],
];

const B: typeof A = [
	['Contact is not eligible for survey', /once in 24 hours/],
	['Contact has unsubscribed', /^Remove the row/],
	['email: Enter a valid email address.', /^Correct the email/],
	['User does not have permission to access campaign', /campaign ID/],
	['Campaign requires a contact list', /contact list/],
	['A reply already exists', /only one reply/],
	['This feedback has been marked complete', /cannot be forwarded/],
	['ada@acme.example is not a member', /'From User'/],
	['name: This field may not be blank.', /^Enter a value/],
	['name: This field is required.', /^Enter a value/],
	['Request was throttled.', /'Requests per Minute'/],
];

describe.each([
	[surveyA, A],
	[surveyB, B],
])('hints for $name', (service, table) => {
	test.each(table)('the message %s has its hint', (words, advice) => {
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
