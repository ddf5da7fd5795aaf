import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../nodes/shared/base/failure';
import { get } from '../../nodes/shared/http/request';
import type { ApiRequest } from '../../nodes/shared/http/request';
import type { ResponseSchema } from '../../nodes/shared/base/json';
import { readAll } from '../../nodes/shared/paging/readAll';
import { surveyA } from '../../nodes/SurveyA/service';
import { SEED, SIMULATED_SEQUENCES } from '../support/random.mts';
import { ListWorld } from './listWorld';

// Return All against a list that changes at random. `SIMULATE_RUNS=20000` tries more.

const RUNS = SIMULATED_SEQUENCES * 10;

function clientOf(world: ListWorld) {
	return {
		service: surveyA,
		async send<Response>({ query }: ApiRequest, schema: ResponseSchema<Response>) {
			await world.travel();
			const limit = query?.limit === undefined ? undefined : Number(query.limit);
			const { status, body } = world.respond({ page: Number(query?.page ?? 1), limit });
			await world.travel();
			if (status >= 400) throw new Failure('failed', String(body.message), { status });
			const read = schema.safeParse(body);
			if (!read.success) throw new Failure('failed', 'Unreadable');
			return read.data;
		},
	};
}

async function readIn(world: ListWorld) {
	const list = {
		request: get('/api/v2/feedback'),
		recordsKey: 'responses',
		pageSize: 1000,
		identity: ({ id }: IDataObject) => id,
		output: ({ id }: IDataObject) => ({ id }),
	};
	try {
		const { records, warnings } = await readAll(clientOf(world), list);
		return { ids: records.map(({ id }) => String(id)), isTold: warnings.length > 0 };
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return { ids: [], isTold: true };
	}
}

test('Return All returns each record that exists from start to end once', async () => {
	const lost = { hidden: 0, uncounted: 0 };
	const wrong: number[] = [];
	let told = 0;
	for (let run = 0; run < RUNS; run++) {
		const world = new ListWorld(SEED + run);
		const { ids, isTold } = await readIn(world);
		const came = new Set(ids);
		if (came.size < ids.length) wrong.push(SEED + run);
		if (isTold) told++;
		if (isTold || [...world.lasting].every((id) => came.has(id))) continue;
		// The conditions that docs/reading.md states.
		const isUncounted =
			world.hasMiscounted && (world.hasChanged || world.totals === 'contradicted');
		if (isUncounted) lost.uncounted++;
		else if (world.hasHiddenChange) lost.hidden++;
		else wrong.push(SEED + run);
	}
	console.log(
		`${told} of ${RUNS} readings ended with an error or a hint; lost by a hidden change`,
		lost,
	);
	expect(wrong).toEqual([]);
}, 600_000);

test('a list of 2,000 pages to which a record is added every second comes out whole, with a hundred more requests at most', async () => {
	const size = 10;
	const first = 2_000 * size;
	let [total, requests] = [first, 0];
	const send = async <Response,>({ query }: ApiRequest, schema: ResponseSchema<Response>) => {
		// A second has about eight responses, several at once.
		if (++requests % 8 === 0) total++;
		await new Promise((resolve) => setImmediate(resolve));
		const newest = total - (Number(query?.page) - 1) * size;
		const ids = Array.from({ length: size }, (_, i) => newest - i).filter((id) => id > 0);
		const read = schema.safeParse({ data: { responses: ids.map((id) => ({ id })), total } });
		if (!read.success) throw new RangeError('the page cannot be read');
		return read.data;
	};
	const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', pageSize: size };
	const { records, warnings } = await readAll({ service: surveyA, send }, list);
	const ids = new Set(records.map(({ id }) => Number(id)));
	expect(ids.size).toBe(records.length);
	expect(Array.from({ length: first }, (_, i) => i + 1).filter((id) => !ids.has(id))).toEqual([]);
	expect(warnings).toEqual([]);
	expect(requests).toBeLessThan(total / size + 100);
});
