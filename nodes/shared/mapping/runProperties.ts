import type { FieldType } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import { dateForm } from '../fields/dates';
import { idKey, nameInId, prefixOf } from './shape';
import type { Cell, Column } from './shape';

type Test = (value: unknown) => boolean;

/** The type of values: `digits` are text, and dates beside a value that shows that they are. */
type ValueType = FieldType | 'digits';

/** @param hasDateOrder true if Date Order explains `4.3.2027` */
export function typeOf(value: unknown, isNumber: Test, hasDateOrder = false): ValueType {
	if (typeof value === 'boolean') return 'boolean';
	if (isNumber(value)) return 'number';
	if (Array.isArray(value)) return 'array';
	const form = dateForm(value, hasDateOrder);
	if (form !== undefined) return form === 'date' ? 'dateTime' : 'digits';
	return isObject(value) ? 'object' : 'string';
}

/** A column is text, unless all its values say otherwise. */
export function commonType(
	soFar: ValueType | undefined,
	value: unknown,
	typeOfValue: () => ValueType,
): ValueType | undefined {
	// Once one value is text, the others no longer count.
	if (soFar === 'string' || isBlank(value)) return soFar;
	const type = typeOfValue();
	const areDates = [soFar, type].every(
		(valueType) => valueType === 'dateTime' || valueType === 'digits',
	);
	if (areDates && soFar !== type) return 'dateTime';
	// promise: one-type
	return soFar === undefined || soFar === type ? type : 'string';
}

export function columnType(type: ValueType = 'string'): FieldType {
	return type === 'digits' ? 'string' : type;
}

interface RunProperty {
	id: string;
	/** Its type, if the mapper shows it or the run has a value for it. */
	type?: ValueType;
	/** True if the account has none, as far as it is known. */
	isNew: boolean;
	isShown: boolean;
	/** Set if its name could mean several properties. */
	failure?: Failure;
}

interface Known {
	/** The properties that the mapper shows, with their types. */
	shown?: Column[];
	/** Those of the account, if it was read. The mapper shows all of them if it has never been opened. */
	account?: Column[];
}

/** The properties of one run: each has one ID and one type for all items. */
export class RunProperties {
	private readonly byId = new Map<string, RunProperty>();
	private readonly byKey = new Map<string, Set<RunProperty>>();
	/** Properties without a label, by their key: an item's own spelling of the name goes out. */
	private readonly unlabeled = new Map<string, Pick<RunProperty, 'type' | 'isShown'>>();

	constructor(
		{ shown = [], account = [] }: Known = {},
		private readonly typeOfValue: (value: unknown) => ValueType = () => 'string',
	) {
		this.addKnown(shown, true);
		this.addKnown(account, shown.length === 0);
	}

	get existing(): string[] {
		return [...this.byId].flatMap(([id, property]) =>
			property.isNew || property.id !== id ? [] : [id],
		);
	}

	/** In any of its forms. */
	of(id: string): RunProperty {
		const property = this.byId.get(id) ?? this.byOtherForm(id);
		this.byId.set(id, property);
		return property;
	}

	add({ id, value, type }: Pick<Cell, 'id' | 'value' | 'type'>): void {
		const property = this.of(id);
		if (!property.isNew) return;
		property.type = commonType(property.type, value, () => type ?? this.typeOfValue(value));
	}

	private addKnown(columns: Column[], isShown: boolean): void {
		for (const { id, type, aliases = [], isUnlabeled } of columns) {
			if (isUnlabeled) {
				this.unlabeled.set(idKey(id), { type, isShown });
				continue;
			}
			const property = this.byId.get(id) ?? { id, type, isNew: false, isShown };
			this.put(property, [id, ...aliases.map((alias) => prefixOf(id) + alias)]);
		}
	}

	private put(property: RunProperty, ids: string[]): RunProperty {
		this.byId.set(property.id, property);
		for (const key of ids.map(idKey)) {
			this.byKey.set(key, (this.byKey.get(key) ?? new Set()).add(property));
		}
		return property;
	}

	private byOtherForm(id: string): RunProperty {
		const properties = [...(this.byKey.get(idKey(id)) ?? [])];
		const [property] = properties;
		if (property === undefined) {
			const unlabeled = this.unlabeled.get(idKey(id));
			return this.put({ id, isNew: !unlabeled, isShown: false, ...unlabeled }, [id]);
		}
		if (properties.length === 1) return property;
		const names = properties.map((property) => `'${nameInId(property.id)}'`).join(' or ');
		const hint = 'Rename the column to the one that is meant';
		return { ...property, failure: Failure.value(`could be ${names}`, hint) };
	}
}
