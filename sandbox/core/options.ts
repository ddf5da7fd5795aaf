/** How a service is started. */
export interface ServiceOptions {
	/** A free port when left out. */
	port?: number;
	/** The seeded records begin here, one second apart; 20 days ago when left out. */
	seedFrom?: Date;
}
