const PART = /\[\s*(?:"([^"]*)"|'([^']*)'|(\d+))\s*\]|([^.[\]]+)/g;

/**
 * Returns the value at a path as n8n's editor writes it when a nested value is dragged onto a field: `body.email`,
 * `email[0].value`, `body["Email Address"]`. Undefined when the row has no such value.
 */
export function valueAtPath(row: object, path: string): unknown {
	const names = [...path.matchAll(PART)].map(([, double, single, index, plain]) =>
		String(double ?? single ?? index ?? plain).trim(),
	);
	return names.reduce<unknown>((value, name) => {
		const isParent = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
		return isParent ? Reflect.get(value, name) : undefined;
	}, row);
}
