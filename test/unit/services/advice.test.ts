import { hintFor } from '../../../nodes/shared/http/messages';
import { surveyA } from '../../../nodes/SurveyA/service';
import { surveyB } from '../../../nodes/SurveyB/service';

// The hint for each known message of a service, and the parameters that the message is about.

const A: Array<[words: string, advice: RegExp, parameters: string[] | undefined]> = [
	['Campaign is not transactional', /transactional campaign/, ['campaign']],
	['Campaign is not active', /^Activate the campaign/, ['campaign']],
	['The campaign is not enabled', /^Activate the campaign/, ['campaign']],
	['Invalid email address', /^Correct the email/, ['email']],
	['Account not found', /API key/, []],
	['Missing authorization key', /API key/, []],
	['Invalid API key', /API key/, []],
	['Authentication required', /API key/, []],
	['Customer not found', /^Check the customer ID/, ['customerId', 'email']],
	['Company record not found', /^Check the company ID/, ['company']],
	['Feedback record not found', /^Check the feedback ID/, ['feedbackId', 'campaignId']],
	['There is no transactional NPS campaign', /^Activate a transactional/, []],
	['Campaign 7 could not be found', /^Choose the campaign/, ['campaign', 'campaignId']],
	['Campaign not found', /^Choose the campaign/, ['campaign', 'campaignId']],
	['Validation failed: "sort" must be one of', /'Sort By'/, ['sort']],
	['Validation failed', /24 hexadecimal/, ['customerId', 'feedbackId', 'campaignId']],
	['An error occurred', /24 hexadecimal/, ['feedbackId', 'campaignId', 'customerId']],
];

const B: typeof A = [
	['Contact is not eligible for survey', /once in 24 hours/, ['email']],
	['Contact has unsubscribed', /^Remove the row/, ['email']],
	['email: Enter a valid email address.', /^Correct the email/, ['email']],
	['User does not have permission to access campaign', /campaign ID/, ['campaignId']],
	['Campaign requires a contact list', /contact list/, ['campaignId']],
	['A reply already exists', /only one reply/, ['feedbackId']],
	['This feedback has been marked complete', /cannot be forwarded/, ['feedbackId']],
	['ada@acme.example is not a member', /'From User'/, ['fromUser']],
	['name: This field may not be blank.', /^Enter a value/, []],
	['name: This field is required.', /^Enter a value/, []],
	['Request was throttled.', /'Requests per Minute'/, []],
];

describe.each([
	[surveyA, A],
	[surveyB, B],
])('hints for $name', (service, table) => {
	test.each(table)(
		'the message %s has its hint and its parameters',
		(words, advice, parameters) => {
			expect(hintFor(service, words, 400)).toMatch(advice);
			expect(service.knownMessages.find((known) => known.message.test(words))?.parameters).toEqual(
				parameters,
			);
		},
	);

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
