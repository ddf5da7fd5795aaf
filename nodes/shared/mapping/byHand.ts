import type { IDataObject } from 'n8n-workflow';

import { addedByResult, withoutResult } from '../base/failedRow';
import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank, sentences } from '../base/text';
import { unevaluated } from '../fields/field';
import type { Parameters } from '../fields/field';
import { isWordForNothing } from '../fields/kinds';
import { missing } from './email';
import type { MappedItem } from './mappedItem';
import { nameInId, Names } from './shape';
import type { Cell, Column, ItemShape } from './shape';

export class HandMapper {
	private readonly names: Names;
	private readonly labels: Map<string, string>;
	private readonly removed: Set<string>;
	/** The mapped values as they stand in the node, with their expressions. */
	private readonly written: IDataObject;
	private readonly unevaluated: Failure[];

	/** @param shown the columns that the mapper shows, or offers to add */
	constructor(
		private readonly shape: ItemShape,
		private readonly parameters: Parameters,
		shown: Column[],
	) {
		this.names = new Names(shape);
		const all = [...shape.fixed, ...shown];
		this.labels = new Map(all.map(({ id, displayName }) => [id, displayName]));
		this.removed = new Set(shown.filter(({ isRemoved }) => isRemoved).map(({ id }) => id));
		this.written = this.mapped(parameters.written('columns.value'));
		this.unevaluated = Object.entries(this.written).flatMap(
			([id, text]) => unevaluated(text, this.labelOf(id), true) ?? [],
		);
	}

	/** True if a column is mapped under a name that only the account can explain, such as a property's label. */
	get needsAccount(): boolean {
		return Object.keys(this.written).some(
			(id) => !this.names.fixedColumn(id) && !this.names.isProperty(id),
		);
	}

	propertyIds(): string[] {
		return Object.keys(this.written).flatMap((id) => this.propertyOf(id) ?? []);
	}

	/** None if an expression fails, as it does again when the item is read. */
	propertiesOf(itemIndex: number): Cell[] {
		const values = this.mapped(this.parameters.tryValue('columns.value', itemIndex));
		return Object.entries(values).flatMap(([written, value]) => {
			const id = this.propertyOf(written);
			return id === undefined ? [] : [{ id, label: this.labelOf(written), value }];
		});
	}

	addCells(item: MappedItem): void {
		if (this.unevaluated.length > 0) throw Failure.all(this.unevaluated);
		const { itemIndex } = item.context;
		const input = this.parameters.item(itemIndex);
		const row = withoutResult(input);
		const values = this.mapped(this.parameters.value('columns.value', itemIndex));
		const named = Object.entries(values).map(([written, value]) => {
			return [this.names.fixedColumn(written)?.displayName ?? nameInId(written), value];
		});
		item.inputs.push(Object.fromEntries(named), row, addedByResult(input));
		let email: unknown;
		for (const [written, value] of Object.entries(values)) {
			const field = this.names.fixedColumn(written);
			if (field?.id === 'email') email = value;
			else this.addCell(item, written, value, field);
		}
		item.add({ id: 'email', label: 'Email', value: email });
		if (isBlank(email)) item.fail('Email', email, missing('is empty', row, 'Email'));
	}

	private addCell(item: MappedItem, written: string, value: unknown, field?: Column): void {
		if (this.shape.isGuard?.(written)) return;
		if (item.context.isTool && isWordForNothing(value)) return;
		const label = this.labelOf(written);
		const id = this.propertyOf(written);
		if (field && !field.isOfOther) return item.add({ id: field.id, label, value });
		const isKnown = id !== undefined && !item.mapping.properties.of(id).isNew;
		if (id !== undefined && (isKnown || this.names.isProperty(written))) {
			return item.addProperty({ id, label, value });
		}
		if (value === null || value === '') return;
		item.failCell({ label: written, value }, this.unknown(item, written));
	}

	private labelOf(written: string): string {
		return this.labels.get(written) ?? nameInId(written);
	}

	private propertyOf(written: string): string | undefined {
		return this.names.fixedColumn(written) ? undefined : this.names.propertyId(written);
	}

	private unknown(item: MappedItem, written: string): Failure {
		const fixed = this.shape.fixed.filter(({ isOfOther }) => !isOfOther).map(({ id }) => id);
		const properties = item.mapping.properties.existing.filter((id) => this.names.isProperty(id));
		const prefixes = Object.values(this.shape.properties?.prefixes ?? {});
		const fresh = prefixes.map((prefix) => prefix + nameInId(written)).join(' or ');
		const hints = [
			`The columns are: ${[...fixed, ...properties].join(', ')}`,
			fresh && `A new one is mapped as ${fresh}`,
		];
		return Failure.value('is not a column of this operation', sentences(hints));
	}

	/** Editors store null for a column that nobody added, and older ones false for a switch. */
	private mapped(values: unknown): IDataObject {
		const isMapped = ([id, value]: [string, unknown]) =>
			!this.removed.has(id) || (value !== null && value !== false);
		return Object.fromEntries(Object.entries(isObject(values) ? values : {}).filter(isMapped));
	}
}
