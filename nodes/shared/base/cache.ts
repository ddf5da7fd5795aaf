/** Computes a value on first use and caches it, so that only a run needs the time for it, and not n8n's start. */
export function lazy<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}

/**
 * Remembers values of this process by their keys: what several runs share. When there are too many, those that were unused
 * longest are forgotten.
 */
export class Cache<Value> {
	/** Map keeps the order in which keys were added, so the first one is the longest unused. */
	private readonly values = new Map<string, Value>();

	/** @param mayForget returns false for a value that must be kept even if there are more */
	constructor(
		private readonly size: number,
		private readonly mayForget: (value: Value) => boolean = () => true,
	) {}

	get(key: string): Value | undefined {
		const value = this.values.get(key);
		if (value !== undefined) this.putLast(key, value);
		return value;
	}

	set(key: string, value: Value): void {
		if (!this.values.has(key)) this.makeRoom();
		this.putLast(key, value);
	}

	of(key: string, make: () => Value): Value {
		const cached = this.get(key);
		if (cached !== undefined) return cached;
		const value = make();
		this.set(key, value);
		return value;
	}

	private putLast(key: string, value: Value): void {
		this.values.delete(key);
		this.values.set(key, value);
	}

	private makeRoom(): void {
		for (const [key, value] of this.values) {
			if (this.values.size < this.size) return;
			if (this.mayForget(value)) this.values.delete(key);
		}
	}
}
