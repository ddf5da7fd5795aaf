/** @jest-environment ./test/support/n8nEnvironment.mts */
import { withHost } from '../support/n8n.mts';
import { shareOf } from '../support/random.mts';
import { agentTriage, commentTopics } from './awkwardDays/agents.mts';
import {
	oneRunPerChange,
	promoterToReferral,
	routeDetractors,
	slackReply,
	zendeskTicket,
} from './awkwardDays/answers.mts';
import { hubspotDealWon, hubspotLastAnswer, salesforceCaseClosed } from './awkwardDays/crm.mts';
import { crmEventA, crmEventB } from './awkwardDays/crmEvent.mts';
import { erasePerson } from './awkwardDays/erasePerson.mts';
import { npsHistory } from './awkwardDays/npsHistory.mts';
import { optOuts } from './awkwardDays/optOuts.mts';
import { surveyQueue } from './awkwardDays/surveyQueue.mts';
import {
	accountNps,
	backfill,
	googleSheets,
	nightlyExport,
	weeklyNps,
} from './awkwardDays/exports.mts';
import { DAYS, reset, setUp, tearDown, type AwkwardDays } from './awkwardDays/setup.mts';

// Runs the examples in a real n8n on days that nobody pins: what each promises in its first sentence holds at the services.

withHost();

beforeAll(setUp, 60_000);
beforeEach(reset, 60_000);
afterAll(tearDown);

const TABLE: AwkwardDays[] = [
	...[crmEventA, crmEventB, surveyQueue, optOuts, erasePerson, npsHistory],
	...[hubspotDealWon, salesforceCaseClosed, hubspotLastAnswer],
	...[routeDetractors, promoterToReferral, zendeskTicket, slackReply],
	...[backfill, googleSheets, nightlyExport, accountNps, weeklyNps],
	...[agentTriage, commentTopics, oneRunPerChange],
];

/** Returns the days of an example that can break it. */
function checksOf({ days }: AwkwardDays) {
	return DAYS.flatMap((day) => {
		const check = days[day];
		return typeof check === 'string' ? [] : [[day, check] as const];
	});
}

describe.each(TABLE.map((example) => [example.name, example] as const))('%s', (_, example) => {
	test.each(shareOf(checksOf(example)))(
		'keeps its promise on a day with %s',
		async (_day, check) => await check(),
		180_000,
	);
});
