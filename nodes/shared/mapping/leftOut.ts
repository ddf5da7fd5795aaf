/** Columns that n8n's Google Sheets, Data Table, Form and Webhook nodes add to their items. */
export const COLUMNS_OF_N8N = [
	...['row_number', 'createdAt', 'updatedAt', 'submittedAt', 'formMode', 'webhookUrl'],
	'executionMode',
];

/** All that is left out without failing. docs/values.md prints it; whatever it does not name is sent, or its row fails. @internal */
export const LEFT_OUT = {
	blank:
		'Blank cells; with Options → **Empty Values** = Clear only those of numbers and booleans, and of columns that the account lacks',
	written: `What n8n or the service itself writes into a row: ${COLUMNS_OF_N8N.map((name) => `\`${name}\``).join(', ')}; a data table's \`id\` beside the two dates; \`error\` and \`details\` of a row from the error output; Survey A's \`id\`, \`companyId\` and \`createdDate\` and Survey B's \`id\` and \`created_date\` in their own records. Map such a column by hand to send it`,
	asked:
		'What an option names: **Ignored Columns**, **Extra Columns** = Ignore. Columns without a name, too',
	noField:
		"What the operation has no field for: objects and lists of objects in columns that the Columns field does not show, Contact List in Survey B's Send, attributes of a survey in its Create or Update, properties in Survey A's deprecated Send, and attributes with characters that Survey B rejects: the item names these in `skippedAttributes`",
	weaker:
		"What a column says again: inside a service's own record, in **Additional Properties** or **Survey Attributes**, and an email column with the address that **Email Column** has",
	decides:
		'A column that says whether the person opted out, under any usual name, also in German, French, Spanish, Portuguese, Italian or Dutch: Send skips a row that opted out, Create or Update of Survey B unsubscribes its contact, and that of Survey A fails. No opt-out subscribes somebody again only with Options → **Resubscribe** (Survey B)',
};
