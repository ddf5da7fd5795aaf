/** Makes a value when it is first asked for, and keeps it: what a run needs does not slow n8n's start. */
export function once<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}
