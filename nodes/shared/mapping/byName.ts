import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isBlank } from '../base/text';
import type { Parameters } from '../fields/field';
import { emailOf, isSameAddress, missing } from './email';
import type { EmailCell } from './email';
import { addedByFailure, withoutFailure } from './failedItem';
import { COLUMNS_OF_N8N } from './leftOut';
import { isNested } from './mappedItem';
import type { MappedItem } from './mappedItem';
import { columnKey, Names } from './shape';
import type { Cell, Column, ItemShape } from './shape';

/** The values of the options that every mapped item has. */
export interface MappingOptions {
	emailColumn?: string;
	extraColumns?: 'add' | 'error' | 'ignore';
	emptyValues?: 'clear' | 'ignore';
}

/** The target of all columns of one name, for all items of a run. */
type Target =
	| { to: 'field'; field: Column }
	| { to: 'property'; id: string }
	/** Left out: without a word if the user asked for it, or if another rule looks at it. */
	| { to: 'nothing'; isQuiet: boolean };

const QUIET: Target = { to: 'nothing', isQuiet: true };
const NAMED: Target = { to: 'nothing', isQuiet: false };

/** Maps the columns of the input items by their names. */
export class NameMapper {
	/** The input items, also with what a failure added. */
	private readonly given: IDataObject[];
	private readonly rows: IDataObject[];
	private readonly names: Names;
	private readonly targets = new Map<string, Target>();
	/** Email Column as it stands in the node. If it is set, a column called Email is a property. */
	private readonly emailColumn: unknown;

	constructor(
		private readonly shape: ItemShape,
		parameters: Parameters,
		private readonly isIgnored: (name: string) => boolean,
	) {
		this.names = new Names(shape);
		this.given = parameters.rows;
		this.rows = this.given.map(withoutFailure);
		this.emailColumn = parameters.written('options.emailColumn');
	}

	/** The account explains the names of items only where the mapper shows none. */
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
		item.rows.push(row);
		const email = this.addEmail(item, row, options.emailColumn);
		for (const label of Object.keys(row)) {
			if (label !== email?.label && !this.isEmailAgain(label, row[label], email))
				this.addColumn(item, row, label, options);
		}
		const given = this.given[itemIndex] ?? {};
		for (const label of addedByFailure(given)) item.leaveOut({ label, value: given[label] });
	}

	blankColumns(): string[] {
		return [];
	}

	private addColumn(
		item: MappedItem,
		row: IDataObject,
		label: string,
		options: MappingOptions,
	): void {
		const value = row[label];
		const target = this.targetOf(label);
		if (target.to === 'field') {
			// `addEmail` has read it, or failed the row.
			if (target.field.id !== 'email') item.add({ id: target.field.id, label, value });
			return;
		}
		if (target.to === 'nothing')
			return target.isQuiet ? undefined : item.leaveOut({ label, value });
		if (this.isWritten(row, label)) return item.leaveOut({ label, value });
		for (const cell of this.propertiesIn(row, label)) this.addProperty(item, cell, options);
	}

	private addProperty(item: MappedItem, cell: Cell, options: MappingOptions): void {
		const { isShown, isNew } = item.run.properties.of(cell.id);
		if (isShown) return item.addProperty(cell);
		if (cell.type === undefined && isNested(cell.value)) return item.leaveOut(cell);
		if (options.extraColumns === 'ignore') return;
		if (options.extraColumns === 'error')
			return item.failCell({ ...cell, value: '' }, notShown(isNew));
		item.addProperty(cell);
	}

	private addEmail(item: MappedItem, row: IDataObject, asked: string | undefined) {
		// That the option has no value is a failure of its own.
		if (asked === undefined && this.emailColumn !== undefined) return undefined;
		try {
			const email = emailOf(row, asked, (name) => this.names.fieldOf(name)?.id === 'email');
			const { label, value } = email;
			const isSeveral = isNested(value) || (Array.isArray(value) && value.length > 1);
			if (!isSeveral && !isBlank(value)) item.add({ id: 'email', label, value });
			else {
				const message = isSeveral ? 'must be one address' : 'is missing';
				item.fail(`Column '${label}'`, value, missing(message, row, 'Email Column'));
			}
			return email;
		} catch (error) {
			item.fail(`Column '${asked ?? 'email'}'`, undefined, error);
			return undefined;
		}
	}

	/** Returns whether a column has the address of the item again: the one that an expression took it from, or one called Email. */
	private isEmailAgain(label: string, value: unknown, email?: EmailCell): boolean {
		const mayBe = email?.isByExpression || this.names.fieldOf(label)?.id === 'email';
		return mayBe && isSameAddress(value, email?.value);
	}

	/** Returns the properties in a column; several for the column of the service's own record that holds them. */
	private propertiesIn(row: IDataObject, label: string): Cell[] {
		const target = this.targetOf(label);
		if (target.to !== 'property' || this.isWritten(row, label)) return NO_CELLS;
		const { ownRecord } = this.shape;
		const isOwn = ownRecord?.column === label && ownRecord.is(row);
		const own = isOwn ? ownRecord.cells(row) : undefined;
		return own ?? [{ id: target.id, label, value: row[label] }];
	}

	private isWritten(row: IDataObject, label: string): boolean {
		const { ownRecord } = this.shape;
		if (label === 'id' && isRowOfN8n(row)) return true;
		return ownRecord?.written.includes(label) === true && ownRecord.is(row);
	}

	private targetOf(name: string): Target {
		const target = this.targets.get(name) ?? this.readTarget(name);
		this.targets.set(name, target);
		return target;
	}

	private readTarget(name: string): Target {
		if (name.trim() === '' || this.isIgnored(name) || this.shape.isGuard?.(name)) return QUIET;
		if (COLUMNS_OF_N8N.includes(name)) return NAMED;
		const field = this.names.fieldOf(name);
		const hasEmailColumn = this.emailColumn !== undefined;
		if (hasEmailColumn && columnKey(name) === columnKey(String(this.emailColumn))) return NAMED;
		const isProperty = field === undefined || (field.id === 'email' && hasEmailColumn);
		if (!isProperty) return field.isOfOther ? NAMED : { to: 'field', field };
		const id = this.names.propertyOf(name.trim());
		return id === undefined ? NAMED : { to: 'property', id };
	}
}

const NO_CELLS: Cell[] = [];

/** A row of n8n's data tables has an ID beside its two dates. Those of services are texts, as in HubSpot. */
function isRowOfN8n(row: IDataObject): boolean {
	return typeof row.id === 'number' && 'createdAt' in row && 'updatedAt' in row;
}

function notShown(isNew: boolean): Failure {
	const hint = "Remove the column, or change Options → 'Extra Columns'";
	const where = isNew ? 'in the account yet' : 'among those that the Columns field shows';
	return Failure.value(`is not ${where}`, hint);
}
