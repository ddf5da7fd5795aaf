import type { IDataObject } from 'n8n-workflow';

import { addedByResult, withoutResult } from '../base/failedRow';
import { isBlank } from '../base/text';
import type { Parameters } from '../fields/field';
import { emailOf, isSameAddress, missing } from './email';
import type { EmailCell } from './email';
import { isNested } from './mappedItem';
import type { MappedItem } from './mappedItem';
import { wordsKey, Names } from './shape';
import type { Cell, Column, ItemShape } from './shape';

export interface MappingOptions {
	emailColumn?: string;
	extraColumns?: 'add' | 'ignore';
	emptyValues?: 'clear' | 'ignore';
}

/** The target of all columns of one name, for all items of a run. */
type Target =
	| { to: 'fixed'; column: Column }
	| { to: 'property'; id: string }
	/** Left out. A hint names the column, unless the user asked for it, or another rule reads it. */
	| { to: 'nothing'; isQuiet: boolean };

/** Columns that n8n's Google Sheets, Data Table, Form and Webhook nodes add to their items. @internal */
export const COLUMNS_OF_N8N = [
	...['row_number', 'createdAt', 'updatedAt', 'submittedAt', 'formMode', 'webhookUrl'],
	'executionMode',
];

const QUIET: Target = { to: 'nothing', isQuiet: true };
const HINTED: Target = { to: 'nothing', isQuiet: false };

export class NameMapper {
	private readonly rows: IDataObject[];
	private readonly names: Names;
	private readonly targets = new Map<string, Target>();
	/** Email Column as it is in the node, unevaluated. If it is set, a column called Email is a property. */
	private readonly emailColumn: unknown;

	constructor(
		private readonly shape: ItemShape,
		private readonly parameters: Parameters,
		private readonly isIgnored: (name: string) => boolean,
	) {
		this.names = new Names(shape);
		const { count } = parameters;
		this.rows = Array.from({ length: count }, (_, i) => withoutResult(parameters.item(i)));
		this.emailColumn = parameters.written('options.emailColumn');
	}

	/** Without columns in the mapper, the account is read anyway. With columns, they say what a name means. */
	readonly needsAccount = false;

	*propertyIds(): Iterable<string> {
		for (const itemIndex of this.rows.keys()) {
			for (const { id } of this.propertiesOf(itemIndex)) yield id;
		}
	}

	propertiesOf(itemIndex: number): Cell[] {
		const row = this.rows[itemIndex] ?? {};
		return Object.keys(row).flatMap((label) => this.propertiesIn(row, label));
	}

	addCells(item: MappedItem, options: MappingOptions): void {
		const { itemIndex } = item.context;
		const row = this.rows[itemIndex] ?? {};
		const added = addedByResult(this.parameters.item(itemIndex));
		item.inputs.push(row, added);
		const email = this.addEmail(item, row, options.emailColumn);
		for (const label of Object.keys(row)) {
			if (label !== email?.label && !this.isEmailAgain(label, row[label], email))
				this.addColumn(item, row, label, options);
		}
		for (const [label, value] of Object.entries(added)) item.leaveOut({ label, value });
	}

	private addColumn(
		item: MappedItem,
		row: IDataObject,
		label: string,
		options: MappingOptions,
	): void {
		const value = row[label];
		const target = this.targetOf(label);
		if (target.to === 'fixed') {
			const { id } = target.column;
			// `addEmail` has read the email, or failed the item.
			if (id !== 'email') item.add({ id, label, value });
			return;
		}
		if (target.to === 'nothing')
			return target.isQuiet ? undefined : item.leaveOut({ label, value });
		if (this.isSystemColumn(row, label)) return item.leaveOut({ label, value });
		for (const cell of this.propertiesIn(row, label)) this.addProperty(item, cell, options);
	}

	private addProperty(item: MappedItem, cell: Cell, options: MappingOptions): void {
		if (item.mapping.properties.of(cell.id).isShown) return item.addProperty(cell);
		if (cell.type === undefined && isNested(cell.value)) return item.leaveOut(cell);
		if (options.extraColumns === 'ignore') return;
		item.addProperty(cell);
	}

	private addEmail(item: MappedItem, row: IDataObject, asked: string | undefined) {
		// The reader of the options fails the item if the option has no value.
		if (asked === undefined && this.emailColumn !== undefined) return undefined;
		try {
			const email = emailOf(row, asked, (name) => this.names.fixedColumn(name)?.id === 'email');
			const { label, value } = email;
			const isSeveral = isNested(value) || (Array.isArray(value) && value.length > 1);
			if (isSeveral) {
				const failure = missing('must be one address', row, 'Email Column');
				item.fail(label, value, failure.with({ code: 'invalidEmail' }));
			} else if (isBlank(value)) item.fail(label, value, missing('is empty', row, 'Email Column'));
			else item.add({ id: 'email', label, value });
			return email;
		} catch (error) {
			item.fail(asked ?? 'email', undefined, error);
			return undefined;
		}
	}

	/** An expression may have taken the address from this column, and one called Email may repeat it. */
	private isEmailAgain(label: string, value: unknown, email?: EmailCell): boolean {
		const mayBe = email?.isByExpression || this.names.fixedColumn(label)?.id === 'email';
		return mayBe && isSameAddress(value, email?.value);
	}

	/** Several for the column of the service's own record that holds them. */
	private propertiesIn(row: IDataObject, label: string): Cell[] {
		const target = this.targetOf(label);
		if (target.to !== 'property' || this.isSystemColumn(row, label)) return [];
		const { ownRecord } = this.shape;
		const hasCells = ownRecord?.column === label && ownRecord.isOwn(row);
		const own = hasCells ? ownRecord.cells(row) : undefined;
		const cells = own ?? [{ id: target.id, label, value: row[label] }];
		return cells.filter((cell) => !this.isIgnored(cell.label));
	}

	private isSystemColumn(row: IDataObject, label: string): boolean {
		const { ownRecord } = this.shape;
		if (label === 'id' && isRowOfN8n(row)) return true;
		return ownRecord?.systemColumns.includes(label) === true && ownRecord.isOwn(row);
	}

	private targetOf(name: string): Target {
		const target = this.targets.get(name) ?? this.readTarget(name);
		this.targets.set(name, target);
		return target;
	}

	private readTarget(name: string): Target {
		if (name.trim() === '' || this.isIgnored(name) || this.shape.isGuard?.(name)) return QUIET;
		if (COLUMNS_OF_N8N.includes(name)) return HINTED;
		const column = this.names.fixedColumn(name);
		const hasEmailColumn = this.emailColumn !== undefined;
		if (hasEmailColumn && wordsKey(name) === wordsKey(String(this.emailColumn))) return HINTED;
		const isProperty = column === undefined || (column.id === 'email' && hasEmailColumn);
		if (!isProperty) return column.isOfOther ? HINTED : { to: 'fixed', column };
		const id = this.names.propertyId(name.trim());
		return id === undefined ? HINTED : { to: 'property', id };
	}
}

/** A row of n8n's data tables has an ID beside its two dates. Those of services are texts, as in HubSpot. */
function isRowOfN8n(row: IDataObject): boolean {
	return typeof row.id === 'number' && 'createdAt' in row && 'updatedAt' in row;
}
