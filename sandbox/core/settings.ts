/**
 * Something that a contract does not say: its ID in docs/evidence/assumptions.md, and the ways that real servers may take. The
 * first is the usual one here.
 */
export interface Silence<Ways extends readonly unknown[] = readonly unknown[]> {
	id: string;
	ways: Ways;
}

export type Silences = Record<string, Silence>;

export const silence = <const Ways extends readonly [unknown, unknown, ...unknown[]]>(
	id: string,
	...ways: Ways
): Silence<Ways> => ({ id, ways });

/** The switches of a service: for each silence the way that it takes. */
export type SettingsOf<All extends Silences> = {
	-readonly [Name in keyof All]: All[Name]['ways'][number];
};

/** Returns the usual way of each silence. */
export function usualWays<All extends Silences>(silences: All): SettingsOf<All> {
	const usual = Object.entries(silences).map(([name, { ways }]) => [name, ways[0]] as const);
	return Object.fromEntries(usual) as SettingsOf<All>;
}

/** Silences of both contracts. */
export const COMMON_SILENCES = {
	/** Error bodies are as in the contract, come with status 200, or are a proxy's HTML page. */
	errors: silence('C1', 'contract', 'status200', 'html'),

	/** Sends emails in lower case, whatever case they were written in. */
	lowercaseEmails: silence('C2', false, true),

	/** Compares emails exactly, so that `Ada@acme.example` and `ada@acme.example` are two people. */
	exactEmails: silence('C3', false, true),

	/** Sends records with fields that the contract does not have. */
	furtherFields: silence('C4', false, true),
};

/** The settings that the core of the sandbox reads. */
export interface CommonSettings extends SettingsOf<typeof COMMON_SILENCES> {
	/** Sends timestamps in UTC with `Z`, with an offset, or without a zone. */
	times?: 'Z' | 'offset' | 'noZone';

	/** Sends numeric IDs as text. */
	idsAsText?: boolean;

	/** The status of refusals that are 400 otherwise. */
	validationStatus?: 400 | 422;

	/** Creating and deleting respond with 201 and 204, or all requests with 200 and an object. */
	successes?: 'rest' | 'always200';

	/** Refuses every seventh request, with the seconds to wait or without. */
	rateLimit: 'none' | 'retryAfter' | 'bare';
}
