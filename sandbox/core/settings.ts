/** Settings that both services have. The defaults follow the contract. */
export class CommonSettings {
	/** Error bodies are as in the contract, come with status 200, or are a proxy's HTML page. */
	errors: 'contract' | 'status200' | 'html' = 'contract';

	/** Sends timestamps without their zone. */
	timesWithoutZone = false;

	/** Sends numeric IDs as text. */
	idsAsText = false;

	/** The status of refusals that are 400 otherwise. */
	validationStatus: 400 | 422 = 400;

	/** Creating and deleting respond with 201 and 204, or all requests with 200 and an object. */
	successes: 'rest' | 'always200' = 'rest';

	/** Sends emails in lower case, whatever case they were written in. */
	lowercaseEmails = false;

	/** Compares emails exactly, so that `Ada@acme.example` and `ada@acme.example` are two people. */
	exactEmails = false;
}
