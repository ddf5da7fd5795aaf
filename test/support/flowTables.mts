export interface FlowItem {
	json: Record<string, unknown>;
}

type Row = Record<string, unknown>;
type Parameters = Record<string, unknown>;

interface Condition {
	keyName: string;
	condition?: string;
	keyValue?: unknown;
}

interface Table {
	types: Record<string, string>;
	rows: Row[];
}

/** n8n's data tables, in memory. Each node's work on a row is one step that nothing comes between, as in n8n. */
export class FlowTables {
	private readonly tables = new Map<string, Table>();
	private lastId = 0;

	/** Counts changes: no two rows have the same time of their last change. */
	private changes = 0;

	rows(name: string): Row[] {
		return this.tables.get(name)?.rows ?? [];
	}

	/** Carries out a Data Table node for one input item. */
	carryOut(parameters: Parameters, item: FlowItem): FlowItem[] {
		if (parameters.resource === 'table') return [{ json: { name: this.create(parameters) } }];
		const table = this.tables.get(String(Object(parameters.dataTableId).value));
		if (!table) throw new Error('There is no such data table');
		return this.onRows(table, parameters, item).map((row) => ({ json: { ...row } }));
	}

	private create({ tableName, columns }: Parameters): string {
		const name = String(tableName);
		const column: Array<{ name: string; type: string }> = Object(columns).column;
		const types = Object.fromEntries(column.map((one) => [one.name, one.type]));
		if (!this.tables.has(name)) this.tables.set(name, { types, rows: [] });
		return name;
	}

	private onRows(table: Table, parameters: Parameters, { json }: FlowItem): Row[] {
		const { rows } = table;
		const chosen = () => rows.filter((row) => isChosen(table, row, parameters));
		const updatedAt = () => new Date(++this.changes).toISOString();
		switch (parameters.operation) {
			case 'insert': {
				const columns = Object.keys(table.types).map((name) => [name, null]);
				const row = {
					...{ id: ++this.lastId, updatedAt: updatedAt() },
					...Object.fromEntries(columns),
					...valuesIn(table, parameters, json),
				};
				rows.push(row);
				return [row];
			}
			case 'update':
				return chosen().map((row) =>
					Object.assign(row, valuesIn(table, parameters, json), { updatedAt: updatedAt() }),
				);
			case 'rowNotExists':
				return chosen().length === 0 ? [json] : [];
			default:
				return limited(chosen(), parameters);
		}
	}
}

/** Returns the values of a row that a node writes, dates as n8n stores them. */
function valuesIn({ types }: Table, { columns }: Parameters, json: Row): Row {
	const { mappingMode, value } = Object(columns);
	const given: Row = mappingMode === 'autoMapInputData' ? json : value;
	const known = Object.entries(given).filter(([name]) => name in types);
	return Object.fromEntries(known.map(([name, one]) => [name, stored(types[name], one)]));
}

function stored(type: string | undefined, value: unknown): unknown {
	if (type !== 'date' || typeof value !== 'string') return value;
	return new Date(value).toISOString();
}

function limited(rows: Row[], parameters: Parameters): Row[] {
	const { returnAll, limit, orderBy, orderByColumn, orderByDirection } = parameters;
	const name = String(orderByColumn);
	const sign = orderByDirection === 'DESC' ? -1 : 1;
	const text = (row: Row) => String(row[name] ?? '');
	const compare = (one: Row, other: Row) => sign * (text(one) < text(other) ? -1 : 1);
	const sorted = orderBy
		? [...rows].sort((one, other) => (text(one) === text(other) ? 0 : compare(one, other)))
		: rows;
	return returnAll === true ? sorted : sorted.slice(0, Number(limit ?? 50));
}

function isChosen({ types }: Table, row: Row, { matchType, filters }: Parameters): boolean {
	const conditions: Condition[] = Object(filters).conditions ?? [];
	const holds = (one: Condition) => conditionHolds(row[one.keyName], one, types[one.keyName]);
	return matchType === 'anyCondition' ? conditions.some(holds) : conditions.every(holds);
}

/** Returns whether a value fulfills a condition, as n8n's databases compare. Nothing fulfills it if the value is null. */
function conditionHolds(value: unknown, { condition, keyValue }: Condition, type?: string) {
	if (condition === 'isEmpty') return value === null || value === '';
	if (value === null || value === undefined) return false;
	const ordered = (one: unknown) => (type === 'date' ? Date.parse(String(one)) : one);
	const [left, right] = [ordered(value), ordered(keyValue)];
	if (condition === 'lte') return Number(left) <= Number(right);
	if (condition === 'gte') return Number(left) >= Number(right);
	return String(left) === String(right);
}
