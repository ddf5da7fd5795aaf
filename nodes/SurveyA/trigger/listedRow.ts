import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { momentIn } from '../records/moment';

export interface ListedRow {
	key: string;
	/** The key that the row had before the service gave it a date, if that differs. */
	undatedKey?: string;
	/** In ms; undefined without a valid date. */
	created?: number;
	data: IDataObject;
	issues?: string[];
}

/** 48 bits: among 50,000 known rows, a new one looks like one of them once in five billion times. */
export const KEY_LENGTH = 8;

/** Returns a short hash of a row's identity. */
export function rowKey(identity: string): string {
	return createHash('sha256').update(identity).digest('base64url').slice(0, KEY_LENGTH);
}

/** Reads a row. Without an identity, the whole row identifies it. */
export function listedRow(data: IDataObject, dateField: string, identity: unknown): ListedRow {
	const text = typeof identity === 'string' ? identity : JSON.stringify(identity ?? data);
	const date = data[dateField];
	const created = momentIn(date);
	const row = { key: rowKey(text), created, data };
	return created === undefined
		? { ...row, issues: [`data.${dateField}: ${problemOf(date)}`] }
		: row;
}

function problemOf(date: unknown): string {
	const isMissing = date === undefined || date === null || date === '';
	return isMissing ? 'is missing' : `is not a date: ${JSON.stringify(date).slice(0, 100)}`;
}
