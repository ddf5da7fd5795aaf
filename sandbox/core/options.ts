export interface ServiceOptions {
	/** Default: a free port. */
	port?: number;
	/** Creation time of the first seeded record; the others follow one second apart. Default: 20 days ago. */
	seedFrom?: Date;
}
