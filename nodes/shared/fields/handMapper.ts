import { isObject } from '../http/json';
import type { Cell, Column, RowShape } from './columnSpec';
import type { ColumnTypes } from './columnTypes';
import type { ReadContext } from './context';
import type { MappedRow } from './mappedRow';
import type { Mapper } from './mapper';
import type { MappingRun } from './mapping';

/** Maps each column by hand. */
export class HandMapper implements Mapper {
	readonly isAutomatic = false;
	private readonly labels: Map<string, string>;

	/** @param shown the columns that the mapper shows */
	constructor(
		private readonly spec: RowShape,
		private readonly run: MappingRun,
		shown: Column[],
	) {
		const all = [...spec.fixed, ...shown];
		this.labels = new Map(all.map(({ id, displayName }) => [id, displayName]));
	}

	*extras(types: ColumnTypes): Iterable<Cell> {
		const { parameters, name } = this.run;
		const ids = Object.keys(parameters.written(`${name}.value`) ?? {}).filter(
			(id) => this.isExtra(id) && !types.shows(id),
		);
		const count = ids.length > 0 ? parameters.count : 0;
		for (let item = 0; item < count; item++) {
			const values = this.valuesOf(item);
			for (const id of ids) yield { id, label: id, value: values[id] };
		}
	}

	map(row: MappedRow): void {
		const { email, ...values } = this.valuesOf(row.context.item);
		for (const [id, value] of Object.entries(values)) {
			const label = this.labels.get(id) ?? id.slice(id.indexOf(':') + 1);
			if (this.isExtra(id)) row.addExtra({ id, label, value });
			else if (this.spec.fixed.some((one) => one.id === id)) row.add({ id, label, value });
			else row.leaveOut({ label, value });
		}
		row.addEmail({ label: 'Email', value: email }, 'Email');
	}

	emailOf({ item }: ReadContext): unknown {
		return this.valuesOf(item).email;
	}

	private isExtra(id: string): boolean {
		return this.spec.extra?.prefixes.some((prefix) => id.startsWith(prefix)) ?? false;
	}

	private valuesOf(item: number) {
		const { parameters, name } = this.run;
		const values = parameters.value(`${name}.value`, item);
		return isObject(values) ? values : {};
	}
}
