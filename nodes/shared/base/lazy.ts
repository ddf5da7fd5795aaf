/** Computes a value on first use and caches it, so that only a run needs the time for it, and not n8n's start. */
export function lazy<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}
