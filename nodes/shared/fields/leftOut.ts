/** Columns that n8n's Google Sheets, Data Table, Form and Webhook nodes add to their items. */
export const COLUMNS_OF_N8N = [
	...['row_number', 'createdAt', 'updatedAt', 'submittedAt', 'formMode', 'webhookUrl'],
	'executionMode',
];

/** The reasons to leave a value out without a failure: each as users read it, and its name in the hint after the run. */
interface LeftOut {
	what: string;
	/** Absent where the user asked for it. @param service the service's name */
	hint?(service: string): string;
}

const noField = (service: string) =>
	`Columns that were not sent because ${service} has no field for them`;

/** All that is left out without failing. docs/values.md prints it; whatever it does not name is sent, or its row fails. */
export const LEFT_OUT = {
	blank: {
		what: 'Blank cells; with Options → **Empty Values** = Clear only those of numbers and booleans, and of columns that the account lacks',
	},
	ofN8n: {
		what: `Columns that n8n adds, unless Options → **Ignored Columns** lists others: ${COLUMNS_OF_N8N.map((name) => `\`${name}\``).join(', ')}, and a data table's \`id\` beside the two dates`,
		hint: () =>
			"Columns of n8n that were not sent (to send them, list in 'Ignored Columns' only what to leave out)",
	},
	ignored: { what: 'Columns in Options → **Ignored Columns**, and columns without a name' },
	extra: {
		what: 'With Options → **Extra Columns** = Ignore, columns that the Columns field does not show',
	},
	nested: {
		what: 'Objects, and lists of objects, in columns that the Columns field does not show',
		hint: noField,
	},
	inside: {
		what: 'The other values inside a column into which Options → **Email Column** points',
		hint: () => 'Values inside these columns were not sent (an Edit Fields node gets them out)',
	},
	emailTwin: {
		what: 'Columns whose names differ from **Email Column** in case, spaces, underscores or hyphens only',
		hint: noField,
	},
	ofRecord: {
		what: "The fields that a service writes into its own records: Survey A's `id`, `companyId` and `createdDate`, Survey B's `id` and `created_date`",
		hint: noField,
	},
	weaker: {
		what: "What is inside a service's own record, or in **Additional Properties** or **Survey Attributes**, if the row has a column for the same field",
	},
	ofFailure: {
		what: '`error` and `details` of a row from the error output, also after a sheet or a file. Its own columns with these names are sent',
		hint: noField,
	},
	noField: {
		what: "By name, columns that an operation has no field for: Contact List in Survey B's Send, attributes of a survey in its Create or Update, and properties in Survey A's deprecated Send",
		hint: noField,
	},
	optOut: {
		what: 'In Send, the column Unsubscribed: a row in which it is true is skipped',
		hint: noField,
	},
	resubscribe: { what: 'Unsubscribed = false without Options → **Resubscribe** (Survey B)' },
	rejected: {
		what: 'Attributes with rejected characters if Options → **Rejected Characters** = Skip Attribute, or if none of their characters remains (Survey B)',
		hint: () => 'Attributes that were left out because of characters that Survey B rejects',
	},
} satisfies Record<string, LeftOut>;

/** The reasons for which a hint names a column. */
export type LeftOutReason = {
	[Reason in keyof typeof LEFT_OUT]: (typeof LEFT_OUT)[Reason] extends { hint: unknown }
		? Reason
		: never;
}[keyof typeof LEFT_OUT];
