import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { INTERACTIVE_TIME_LIMITS, ApiClient } from '../../shared/http/client';
import { Failure, toNodeError } from '../../shared/http/failure';
import { routeItems } from '../../shared/triggerOutputs';
import { surveyA } from '../service';
import { arrivals } from './arrivals';
import { readNewest } from './backlog';
import { passes } from './filters';
import { routeOf } from './items';
import type { TriggerItem } from './items';
import { pageReader } from './lists';
import { readSettings } from './settings';
import type { Settings } from './settings';
import { takeTurn } from './turn';

/** The most rows of each event that a test by hand shows. */
const SAMPLE = 5;

/**
 * One poll of the trigger.
 *
 * @returns the items for each output; null where there are none, and no run starts
 * @throws NodeApiError or NodeOperationError; nothing is lost by it, the next poll reads the same rows
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = readSettings(context);
		const isTest = context.getMode() === 'manual';
		const items = isTest ? await sample(context, settings) : await news(context, settings);
		if (items.length === 0) return null;
		const routed = routeItems(settings, items, routeOf);
		return routed.map((output) => output.map(({ event, data }) => ({ json: { event, data } })));
	} catch (error) {
		const failure = Failure.from(error);
		throw toNodeError(context.getNode(), failure, failure.headline);
	}
}

async function news(context: IPollFunctions, settings: Settings): Promise<TriggerItem[]> {
	return (await takeTurn(context, async (turn) => await arrivals(turn, settings))) ?? [];
}

/** The newest rows of each event. The live trigger's memory is left alone. */
async function sample(context: IPollFunctions, settings: Settings): Promise<TriggerItem[]> {
	const client = new ApiClient(context, surveyA, INTERACTIVE_TIME_LIMITS);
	const items: TriggerItem[] = [];
	for (const event of settings.events) {
		const { rows } = await readNewest(pageReader(client, event));
		const found = rows.map(({ data }) => ({ event, data }));
		items.push(...found.filter((item) => passes(item, settings.filters)).slice(0, SAMPLE));
	}
	return items;
}
