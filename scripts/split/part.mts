/** One of the two packages. */
export interface Part {
	name: string;
	/** The letter of its service, and of the other one. */
	service: 'A' | 'B';
	other: 'A' | 'B';
}
