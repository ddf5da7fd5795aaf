import type { IDataObject } from 'n8n-workflow';

import type { SkipReason } from '../shared/base/codes';
import { Cache } from '../shared/base/cache';
import { Failure } from '../shared/base/failure';
import { valueAt } from '../shared/base/json';
import { isBlank, quote } from '../shared/base/text';
import { DAY_MS, momentIn } from '../shared/fields/dates';
import type { GivenDate } from '../shared/fields/dates';
import { choice, choicesOf, number } from '../shared/fields/kinds';
import { normalizeEmail } from '../shared/fields/values';
import { get } from '../shared/http/request';
import { namesSame } from '../shared/http/response';
import type { Run } from '../shared/operations/run';
import type { Guard } from '../shared/operations/write';
import { pages } from '../shared/paging/pages';
import type { MappedCustomer } from './parameters/customerColumns';
import { sentSurvey } from './records';

export const quietPeriodOptions = {
	quietPeriod: number({
		displayName: 'Quiet Period (Days)',
		min: 0,
		default: 30,
		description:
			'Skip customers who got a survey in so many days, by the outbox and by what this n8n process sent. Surveys that another process queued, or this one before a restart, are not known.',
	}),
	quietPeriodScope: choice({
		displayName: 'Quiet Period Scope',
		options: choicesOf('anyCampaign', 'thisCampaign'),
		description:
			'Which earlier surveys count for Quiet Period. Without this option, those of any campaign.',
	}),
};

export interface Sending {
	campaign: string;
	columns: MappedCustomer;
	options: { quietPeriod?: number; quietPeriodScope?: 'anyCampaign' | 'thisCampaign' };
}

/** A survey that a customer got: a record of the outbox, or one that this process remembers. */
interface PastSurvey {
	sentDate?: unknown;
	campaignId?: unknown;
}

/** The last surveys that this process sent or is sending, by API key and customer. Equal events arrive before the outbox shows them. */
const ownSurveys = new Cache<PastSurvey[]>(50_000);

const MOST_OWN = 10;

/** How long a survey may wait in the outbox, which is sorted by a creation date that its records do not have. */
const LONGEST_WAIT_MS = 72 * 60 * 60 * 1000;

/** Finds customers in their quiet period, by the outbox (contract: GET outbox), which is read once a run, and by what this process sent. */
export function recentlySurveyed({ client, options: { dryRun } }: Run): Guard<Sending> {
	const now = Date.now();
	const surveysOf = outboxReader(client);
	const claims = new Map<Sending, { key: string; own: PastSurvey }>();
	// The surveys of a dry run count in that run only.
	const kept = dryRun ? new Map<string, PastSurvey[]>() : ownSurveys;
	return {
		async check(sending) {
			const days = daysOf(sending.options);
			if (days === 0) return undefined;
			return quiet(sending, await surveysOf(sending.columns.email, now - days * DAY_MS), now);
		},
		async claim(sending) {
			const key = `${await client.fingerprint()} ${normalizeEmail(sending.columns.email)}`;
			const earlier = kept.get(key) ?? ownSurveys.get(key) ?? [];
			const skip = quiet(sending, earlier, now);
			if (skip) return skip;
			const own = { sentDate: new Date().toISOString(), campaignId: sending.campaign };
			kept.set(key, [...earlier, own].slice(-MOST_OWN));
			claims.set(sending, { key, own });
			return undefined;
		},
		release(sending) {
			const { key = '', own } = claims.get(sending) ?? {};
			const others = kept.get(key)?.filter((survey) => survey !== own);
			if (others) kept.set(key, others);
		},
	};
}

/** @throws Failure for a scope without days, which would be a guard that is off */
function daysOf({ quietPeriod, quietPeriodScope }: Sending['options']): number {
	if (quietPeriod !== undefined || quietPeriodScope === undefined) return quietPeriod ?? 0;
	const hint = "Add Options → 'Quiet Period (Days)', or remove Options → 'Quiet Period Scope'";
	throw Failure.at('Quiet Period (Days)', undefined, Failure.missing(hint));
}

function quiet(
	{ campaign, options }: Sending,
	surveys: PastSurvey[],
	now: number,
): SkipReason | undefined {
	const { quietPeriod: days = 0, quietPeriodScope: scope = 'anyCampaign' } = options;
	const isOfAny = scope === 'anyCampaign';
	const since = now - days * DAY_MS;
	// A survey whose date or campaign is unknown counts, too: one survey too few is better than one too many.
	const earlier = surveys.find((survey) => {
		const isOfThis = namesSame(survey.campaignId || campaign, campaign);
		return (sentMoment(survey) ?? Infinity) >= since && (isOfAny || isOfThis);
	});
	if (days === 0 || earlier === undefined) return undefined;
	const by = isOfAny || !earlier.campaignId ? 'Surveyed' : 'Surveyed by this campaign';
	const date = String(earlier.sentDate || 'an unknown date');
	const reason = `${by} on ${date}, within the quiet period of ${days} days`;
	return { reason, code: 'recentlySurveyed' };
}

/** In ms; undefined without a date, for which servers also write one of 1970 or of the year 1. */
function sentMoment({ sentDate }: PastSurvey): number | undefined {
	const moment = momentIn(sentDate);
	return moment !== undefined && moment >= DAY_MS ? moment : undefined;
}

interface Looked {
	email: string;
	since: GivenDate;
	filters: { campaignId?: string };
}

/**
 * Looks up customers in the outbox (contract: GET outbox), which is read once a run. A survey without a date waits to be sent.
 */
export function surveyStatus({ client }: Run) {
	const surveysOf = outboxReader(client);
	return async ({ email, since, filters }: Looked): Promise<IDataObject> => {
		const surveys = await surveysOf(email, since.toMillis());
		const { campaignId: wanted } = filters;
		const ofCampaign = surveys.filter(({ campaignId }) => !wanted || namesSame(campaignId, wanted));
		const sent = ofCampaign.find((survey) => sentAt(survey) >= since.toMillis());
		if (sent) {
			const { sentDate, campaignId } = sent;
			return { email, status: statusOf(sent), sentDate, campaignId, campaign: sent.campaign };
		}
		const isOptedOut = surveys.some((survey) => says(survey, 'isOptedOut'));
		return { email, status: isOptedOut ? 'optedOut' : 'notYet' };
	};
}

/** In ms; 0 for a survey that waits. @throws Failure if the date cannot be read */
function sentAt({ sentDate }: IDataObject): number {
	const moment = isBlank(sentDate) ? 0 : momentIn(sentDate);
	if (moment !== undefined) return moment;
	throw new Failure('failed', `'sentDate' of a survey cannot be read: ${quote(sentDate)}`, {
		hint: 'Look into the outbox of Survey A',
	});
}

function statusOf(survey: IDataObject): string {
	if (says(survey, 'isBounced')) return 'bounced';
	return says(survey, 'isOptedOut') ? 'optedOut' : 'sent';
}

function says(survey: IDataObject, name: string): boolean {
	return valueAt(sentSurvey.raw.typed(survey), `detailedStatus.${name}`) === true;
}

/**
 * Finds the surveys of a customer since a moment. It reads the outbox, the newest first, no further back than items ask for.
 */
function outboxReader(client: Run['client']) {
	const request = get('/api/v2/nps/outbox', { sort: '-surveyCreatedDate' });
	const list = { request, recordsKey: 'surveys', pageSize: 1000 };
	// It ends where no later page is needed.
	const outbox = pages(client, list, { inFlight: 1 });
	const surveys = new Map<string, IDataObject[]>();
	/** The earliest time at which a survey read so far was sent. */
	let oldest = Infinity;
	/** The longest time from the creation of a survey to its sending that the list shows. */
	let longestWait = LONGEST_WAIT_MS;
	let reading = Promise.resolve();

	function add(survey: IDataObject): void {
		const key = normalizeEmail(String(survey.email));
		surveys.set(key, [...(surveys.get(key) ?? []), survey]);
		const sent = sentMoment(survey);
		if (sent === undefined) return;
		// The list is sorted by creation. So this survey was created before any survey above it was sent.
		longestWait = Math.max(longestWait, sent - oldest);
		oldest = Math.min(oldest, sent);
	}

	/** Reads pages until no survey on a later page can have been sent since a moment. */
	async function readBackTo(since: number): Promise<void> {
		while (oldest + longestWait >= since) {
			const { value, done } = await outbox.next();
			if (done) return;
			value.records.forEach(add);
		}
	}

	return async (email: string, since: number): Promise<IDataObject[]> => {
		// After a page that cannot be read, later items fail too: the generator then looks like the end of the list.
		reading = reading.then(async () => await readBackTo(since));
		await reading;
		return surveys.get(normalizeEmail(email)) ?? [];
	};
}
