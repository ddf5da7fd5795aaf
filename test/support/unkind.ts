// Turns every switch of the sandbox whose other way the contract allows. A test that needs one of them as it is by default
// sets it itself.
import { differences } from '../../sandbox/core/differences';

const both = { timesWithoutZone: true, successes: 'always200', lowercaseEmails: true } as const;
differences.a = {
	...both,
	errors: 'status200',
	maxLimit: 100,
	maxCompaniesLimit: 20,
	numbersAsText: true,
	nullScalars: true,
	scoreHeadline: 'score',
	ignoresLimit: true,
	propertiesBy: 'name',
	campaignWithoutFeedback: 404,
	industrySort: 'companyIndustry',
	outboxLag: 600,
};
differences.b = {
	...both,
	idsAsText: true,
	lastNext: 'absent',
	unsubscribedAsText: true,
	closedIsComplete: true,
	validationStatus: 422,
	wrongKeyStatus: 403,
	ineligibleField: 'contact',
	pageAfterLast: 'empty',
	unsubscribeResults: 'none',
	nullScalars: true,
	hookDeletion: 405,
	equalWebhook: 'existing',
	surveyIdInEvents: false,
};
