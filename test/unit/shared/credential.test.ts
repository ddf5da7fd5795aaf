import { checkCredential } from '../../../nodes/shared/http/credential';
import { Failure } from '../../../nodes/shared/base/failure';
import { surveyA } from '../../../nodes/SurveyA/service';
import { surveyB } from '../../../nodes/SurveyB/service';

// How the fields of a credential are read.

const secret = 'of the account';
const filled = (more: object = {}) => ({
	baseUrl: 'https://survey.example.com',
	apiKey: secret,
	requestsPerMinute: 0,
	...more,
});

const wordsOf = (more: object) => {
	try {
		return checkCredential(surveyB, filled(more)).baseUrl;
	} catch (error) {
		return Failure.from(error).messageWithAdvice();
	}
};

test.each([
	[' https://survey.example.com/ ', 'https://survey.example.com'],
	['https://survey.example.com///', 'https://survey.example.com'],
	['HTTPS://Survey.Example.com', 'https://survey.example.com'],
	['http://survey.example.com:8080', 'http://survey.example.com:8080'],
	['https://survey.example.com/api/v2', 'https://survey.example.com'],
	['https://survey.example.com/API/V2/', 'https://survey.example.com'],
	['https://survey.example.com/base/api/v2/', 'https://survey.example.com/base'],
	['https://survey.example.com/base//api', 'https://survey.example.com/base'],
	['https://survey.example.com/apiary', 'https://survey.example.com/apiary'],
	['https://survey.example.com/?x=1#y', 'https://survey.example.com'],
])('the base URL %j is used as %j', (baseUrl, used) => {
	expect(checkCredential(surveyA, filled({ baseUrl })).baseUrl).toBe(used);
	expect(checkCredential(surveyB, filled({ baseUrl })).baseUrl).toBe(used);
});

const OF_B = 'The Base URL of the Survey B credential is no URL that begins with https://';

test.each([
	['survey.example.com', `${OF_B}. In the credential, write it in full`],
	['see https://survey.example.com', OF_B],
	['https://', OF_B],
	['https://[', OF_B],
	['  ', 'The Survey B credential has no Base URL. In the credential, fill in the Base URL'],
])('the base URL %j is rejected', (baseUrl, words) =>
	expect(wordsOf({ baseUrl })).toContain(words),
);

test.each(['', '  ', undefined])('the key %j is rejected', (apiKey) => {
	expect(wordsOf({ apiKey })).toContain('has no API key. In the credential, fill in the API key');
});

test('spaces around the key are removed, and invisible characters that were copied with it', () => {
	const apiKey = ` of the\u200b account\n`;
	expect(checkCredential(surveyA, filled({ apiKey })).apiKey).toBe(secret);
});

test.each<[unknown, number]>([
	[0, 0],
	['60', 60],
	[-1, 0],
	['many', 0],
	[undefined, 0],
])('Requests per Minute %j is read as %i', (requestsPerMinute, used) => {
	expect(checkCredential(surveyA, filled({ requestsPerMinute })).requestsPerMinute).toBe(used);
});

test.each([
	['Bearer abc', "begins with 'Bearer '"],
	['Token abc', "begins with 'Token '"],
	['token abc', "begins with 'Token '"],
	['api_key=abc', "begins with 'api_key='"],
	['"abc"', `begins with '"'`],
	["'abc'", `begins with "'"`],
])('the key %s is rejected, since the node adds what stands before a key', (apiKey, words) => {
	expect(wordsOf({ apiKey })).toBe(
		`The API key of the Survey B credential ${words}. In the credential, enter the key alone: the node adds the rest`,
	);
});
