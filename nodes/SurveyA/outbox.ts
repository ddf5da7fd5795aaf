import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../shared/http/client';
import { get } from '../shared/http/request';
import { once } from '../shared/http/once';
import { normalizeEmail } from '../shared/parameters/emails';
import type { Run } from '../shared/operations/run';
import type { SkipReason } from '../shared/operations/skips';
import { momentIn } from './records/moment';
import { PageFetcher } from '../shared/pagination/pages';

// Whom a campaign surveyed lately, read back from the outbox: so that a run that was cut off can be
// started again (contract, GET outbox).

export const skipSurveyedWithinField: INodeProperties = {
	displayName: 'Skip Surveyed Within (Hours)',
	name: 'skipSurveyedWithin',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'Skip customers whom this campaign surveyed in the last hours, as the outbox of Survey A shows them. Use it to restart a run that was interrupted. Surveys that are queued but not in the outbox yet are not detected. 0 turns it off.',
};

const HOUR_MS = 60 * 60 * 1000;

/** Returns a check for customers whom a campaign surveyed lately. Reads the outbox once a run. */
export function surveyedBefore(run: Run) {
	const hours = run.options.skipSurveyedWithin;
	const dates = once(async () => await surveyedSince(run, Date.now() - hours * HOUR_MS));
	return async (row: { campaign: string; email: string }): Promise<SkipReason | undefined> => {
		if (hours === 0) return undefined;
		const date = (await dates()).get(keyOf(row.campaign, row.email));
		if (date === undefined) return undefined;
		return { reason: `Surveyed by this campaign on ${date}`, kind: 'surveyed recently' };
	};
}

/** The date of each survey since a moment, by campaign and address. Read newest first, that far and no farther. */
async function surveyedSince(
	{ client, context }: Run,
	since: number,
): Promise<Map<string, string>> {
	const outbox = outboxPages(client, (message) => context.logger.info(message));
	const dates = new Map<string, string>();
	for (let number = 1; ; number++) {
		const page = await outbox.page(number);
		const recent = page.rows.filter((survey) => timeOf(survey) >= since);
		for (const { campaignId, email, sentDate } of recent) {
			dates.set(keyOf(String(campaignId), String(email)), String(sentDate));
		}
		if (recent.length === 0 || !outbox.hasMore(page, number)) return dates;
	}
}

function outboxPages(client: ApiClient, log: (message: string) => void): PageFetcher {
	return new PageFetcher(client, {
		request: get('/api/v2/nps/outbox', { sort: '-surveyCreatedDate' }),
		rowsKey: 'surveys',
		pageSize: 1000,
		log,
	});
}

/** A survey whose date cannot be read counts as a recent one: better one too few than one twice. */
function timeOf({ sentDate }: IDataObject): number {
	return momentIn(sentDate) ?? Infinity;
}

function keyOf(campaign: string, email: string): string {
	return `${campaign} ${normalizeEmail(email)}`;
}
