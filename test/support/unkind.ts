// Turns every switch of the sandbox whose other way the contract allows. A test that needs one of them as it is by default
// sets it itself.
import { differencesA, type SettingsA } from '../../sandbox/a/settings';
import { differencesB, type SettingsB } from '../../sandbox/b/settings';

const both: Partial<SettingsA & SettingsB> = {
	timesWithoutZone: true,
	successes: 'always200',
	lowercaseEmails: true,
};
Object.assign<Partial<SettingsA>, Partial<SettingsA>>(differencesA, {
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
});
Object.assign<Partial<SettingsB>, Partial<SettingsB>>(differencesB, {
	...both,
	idsAsText: true,
	errors: 'html',
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
});
