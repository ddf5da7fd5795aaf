import { ok, type Answer } from '../core/answer';
import type { Call } from '../core/routes';
import { refusal } from './refusals';
import type { WorldB } from './state';

/** The envelope of a list. */
export interface Envelope<Row> {
	count: number;
	next: string | null;
	previous: string | null;
	results: Row[];
}

/** All rows in one envelope. */
export function envelope<Row>(results: Row[]): Envelope<Row> {
	return { count: results.length, next: null, previous: null, results };
}

function link(world: WorldB, { path, query }: Call, page: number): string {
	const params = new URLSearchParams(query);
	params.set('page', String(page));
	const origin = world.settings.nextOrigin ?? world.origin();
	return `${origin}${path}?${params.toString()}`;
}

function pageNumber({ query }: Call, pages: number): number {
	const page = Number(query.get('page') ?? '1');
	if (!Number.isInteger(page) || page < 1 || page > pages) throw refusal(404, 'Invalid page.');
	return page;
}

/** The page of the rows that a call asks for. */
export function page<Row>(world: WorldB, call: Call, rows: Row[]): Envelope<Row> {
	const size = world.settings.pageSize;
	const pages = Math.max(1, Math.ceil(rows.length / size));
	const number = pageNumber(call, pages);
	return {
		count: rows.length,
		next: number < pages ? link(world, call, number + 1) : null,
		previous: number > 1 ? link(world, call, number - 1) : null,
		results: rows.slice((number - 1) * size, number * size),
	};
}

/** The answer with that page; a bare array where the settings have it. */
export function pageAnswer<Row>(
	world: WorldB,
	call: Call,
	rows: Row[],
	{ mayBeBare = false } = {},
): Answer {
	const found = page(world, call, rows);
	return ok(mayBeBare && world.settings.bareLists ? found.results : found);
}
