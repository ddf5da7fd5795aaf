import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../shared/base/failure';
import { isBlank, textIn, truncate, wordKey } from '../shared/base/text';
import { normalizeEmail } from '../shared/fields/values';
import { hintFor } from '../shared/http/outcome';
import { isBare, isRefused, isTrue, quoted } from '../shared/http/response';
import type { Service } from '../shared/http/service';

/** The people whom the response to a batch names. It confirms nobody else. */
export class NamedPeople {
	readonly byEmail: Map<string, IDataObject>;
	/** The number of records if none of them has an address or a sign against it; 0 otherwise. */
	private readonly unnamed: number;

	constructor(
		private readonly service: Service,
		records: IDataObject[],
	) {
		const named = records.filter(({ email }) => typeof email === 'string');
		this.byEmail = new Map(named.map((record) => [normalizeEmail(String(record.email)), record]));
		this.unnamed = named.length > 0 || records.some(isRefused) ? 0 : records.length;
	}

	/** As many records as were requested, none of them with an address or a sign against it. */
	confirmsUnnamed(requested: number): boolean {
		return this.unnamed === requested;
	}

	/** Undefined if the response does not name the person. */
	of(email: string): IDataObject | undefined {
		return this.byEmail.get(normalizeEmail(email));
	}

	/** @param mark the field that says that it was done. Older servers name the person without it. */
	marked(email: string, mark: string): IDataObject | Failure {
		const result = this.result(email, (record) =>
			record[mark] === undefined ? isBare(record) : isTrue(record[mark]),
		);
		return result instanceof Failure ? result : { ...result, email, [mark]: true };
	}

	/** Returns the record of a person, or why it does not confirm what was requested. */
	result(email: string, isDone: (record: IDataObject) => boolean = isBare): IDataObject | Failure {
		const record = this.of(email);
		// A record may have a state of its own, such as that its emails bounce.
		const isState =
			isBlank(record?.reason) && ['bounced', 'blocked'].includes(wordKey(record?.status));
		const isAgainst = isRefused(isState ? { ...record, status: undefined } : record);
		if (record !== undefined && !isAgainst && isDone(record)) return record;
		const { reason: why, error, errors, message, status } = record ?? {};
		const reason = truncate(
			[why, error, errors, message].map((part) => textIn(part)).find(Boolean),
		);
		const { name } = this.service;
		const text = reason ?? `${name} did not confirm this row${quoted(record)}`;
		const look = record ? 'Correct the row, or remove it' : `Look the person up in ${name}`;
		return new Failure(isAgainst ? 'refused' : 'unconfirmed', `${email}: ${text}`, {
			reason: reason ?? textIn(status),
			hint: hintFor(this.service, reason, 200) ?? look,
		});
	}
}
