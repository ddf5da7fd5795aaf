import type { SettingsA } from '../../sandbox/a/settings';
import type { SettingsB } from '../../sandbox/b/settings';

// The other way of every switch of the sandbox whose other way the contract allows.

const both = { lowercaseEmails: true, exactEmails: true };

export const HARDER_A: Partial<SettingsA> = {
	...both,
	errors: 'status200',
	maxLimit: 100,
	maxCompaniesLimit: 20,
	numbersAsText: true,
	blanks: 'null',
	scoreHeadline: 'score',
	ignoresLimit: true,
	propertiesBy: 'name',
	campaignWithoutFeedback: 404,
	industrySort: 'companyIndustry',
	outboxLag: 600,
	emptyLists: 'null',
};

export const HARDER_B: Partial<SettingsB> = {
	...both,
	times: 'noZone',
	successes: 'always200',
	idsAsText: true,
	errors: 'html',
	lastNext: 'absent',
	unsubscribedAsText: true,
	closedIsComplete: true,
	validationStatus: 422,
	wrongKeyStatus: 403,
	ineligibleField: 'contact',
	pageAfterLast: 'empty',
	blanks: 'null',
	hookDeletion: 405,
	equalWebhook: 'existing',
	surveyIdInEvents: false,
};
