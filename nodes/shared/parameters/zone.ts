let current: string | undefined;

/**
 * Reads parameters with a time zone for dates that name none: that of the workflow. Without it they
 * would be taken to be in the zone of whichever workflow n8n worked on last.
 *
 * @param read must be done with when it returns
 */
export function inZone<Value>(zone: string, read: () => Value): Value {
	const outer = current;
	current = zone;
	try {
		return read();
	} finally {
		current = outer;
	}
}

/** The zone of dates that name none. */
export function currentZone(): string | undefined {
	return current;
}
