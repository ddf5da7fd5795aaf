import { agentTriage, commentTopics } from './agents.mts';
import { promoterToReferral, routeDetractors, slackReply, zendeskTicket } from './answers.mts';
import { oneRunPerChange } from './changes.mts';
import { closedLoop } from './closedLoop.mts';
import { hubspotDealWon, hubspotLastAnswer, salesforceCaseClosed } from './crm.mts';
import { crmEventA, crmEventB } from './crmEvent.mts';
import type { AwkwardDays } from './days.mts';
import { detractorsAgain } from './detractorsAgain.mts';
import { erasePerson } from './erasePerson.mts';
import { accountNps, backfill, googleSheets, nightlyExport, weeklyNps } from './exports.mts';
import { npsHistory, npsHistoryImport } from './npsHistory.mts';
import { optOuts } from './optOuts.mts';
import { promoterToReview } from './promoterToReview.mts';
import { stopReply } from './stopReply.mts';
import { responseRate } from './responseRate.mts';
import { surveyQueue } from './surveyQueue.mts';
import { whoWasSurveyed } from './whoWasSurveyed.mts';
import { zendeskSolved } from './zendeskSolved.mts';

/** All examples with their awkward days. */
export const TABLE: AwkwardDays[] = [
	...[crmEventA, crmEventB, surveyQueue, hubspotDealWon, salesforceCaseClosed, hubspotLastAnswer],
	...[routeDetractors, promoterToReferral, zendeskTicket, slackReply, oneRunPerChange],
	...[agentTriage, commentTopics, optOuts, erasePerson, npsHistory, npsHistoryImport],
	...[stopReply, detractorsAgain, promoterToReview, closedLoop, zendeskSolved],
	...[whoWasSurveyed, responseRate, accountNps, weeklyNps],
	...[backfill, googleSheets, nightlyExport],
];
