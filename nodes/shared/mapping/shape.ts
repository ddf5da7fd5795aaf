import type { FieldType, IDataObject, ResourceMapperField } from 'n8n-workflow';

import { wordKey } from '../base/text';
import type { ReadRecords } from '../fields/field';

export interface Column {
	/** Stable and readable: `email`, `property:Renewal Date`. */
	id: string;
	displayName: string;
	/** Absent if the values decide. */
	type?: FieldType;
	required?: boolean;
	options?: ResourceMapperField['options'];
	/** Other names under which input items have this column. */
	aliases?: string[];
	/** True if the service gave only its name, and not the label by which it is written. */
	isUnlabeled?: boolean;
	/** True if nobody has added it in the editor, which stores null as its value. */
	isRemoved?: boolean;
	/** True if another operation takes it, and this one does not. */
	isOfOther?: boolean;
}

export interface Cell {
	id: string;
	/** The name of the column in error messages. */
	label: string;
	value: unknown;
	/** The type that a record of the service has for it, or that the run has decided. */
	type?: FieldType;
	/** Set if it is no column of the item, but stands in an option or inside the service's own record. */
	source?: 'option' | 'record';
}

/** How a service takes columns that it has no field for, as properties of the person. */
export interface PropertyRules {
	/** `property:Plan` for `Plan` */
	idOf(name: string): string;
	/** The prefixes of such IDs, by the option that takes further ones as a JSON object. */
	prefixes: Record<string, string>;
	isNumber(value: unknown): boolean;
	/** The service's names of types in hints, where they differ. */
	typeNames: Partial<Record<FieldType, string>>;
	read(readRecords: ReadRecords): Promise<Column[]>;
	/** True if the account knows them by further names. The editor keeps none of these in the node. */
	hasAliases?: boolean;
}

/** How to recognize and read a record that the service itself returned. */
interface OwnRecord {
	isOwn(row: IDataObject): boolean;
	/** The columns that only the service writes. They are not sent. */
	systemColumns: readonly string[];
	/** The column that holds the properties, and their cells; none if it has another shape. */
	column: string;
	cells(row: IDataObject): Cell[] | undefined;
}

export interface ItemShape {
	/** The columns that every account has. The first one is the email. */
	fixed: Column[];
	/** How other columns are sent. Absent when the endpoint takes no others. */
	properties?: PropertyRules;
	/** True for a column that only decides about the item, and is no property. `read` finds it in `item.inputs`. */
	isGuard?(name: string): boolean;
	ownRecord?: OwnRecord;
}

/** `First Name`, `firstName` and `first_name` are equal, `Q1_1` and `Q11` are not. */
export function wordsKey(name: string): string {
	return name
		.trim()
		.replace(/\p{Ll}(?=\p{Lu})/gu, '$& ')
		.toLowerCase()
		.replace(/[\s_-]+/g, ' ');
}

export function idKey(id: string): string {
	return prefixOf(id) + wordsKey(nameInId(id));
}

/** `property:`; empty for a field */
export function prefixOf(id: string): string {
	return id.slice(0, id.indexOf(':') + 1);
}

/** `Plan` of `property:Plan` */
export function nameInId(id: string): string {
	return id.slice(id.indexOf(':') + 1);
}

/** The names under which items and mappings have the columns of an operation. By name and by hand they are the same. */
export class Names {
	private readonly fixed: Map<string, Column>;

	constructor(private readonly shape: ItemShape) {
		this.fixed = new Map(
			shape.fixed.flatMap((column) => {
				const { id, displayName, aliases = [] } = column;
				return [id, displayName, ...aliases].map((name) => [wordKey(name), column]);
			}),
		);
	}

	/** `FIRSTNAME` and `E-Mail` are fixed columns, too. */
	fixedColumn(name: string): Column | undefined {
		return this.fixed.get(wordKey(name));
	}

	/** Undefined if the endpoint takes no other columns. */
	propertyId(name: string): string | undefined {
		const id = this.isProperty(name) ? name : this.shape.properties?.idOf(name);
		return id !== undefined && this.isProperty(id) ? id : undefined;
	}

	isProperty(id: string): boolean {
		return Object.values(this.shape.properties?.prefixes ?? {}).some((prefix) =>
			id.startsWith(prefix),
		);
	}
}
