import { CODES, DETAILS } from '../shared/base/codes';

// The text about many operations of a node for agents that build workflows. n8n prints it once, above their types.

interface Differences {
	/** About new columns. */
	columns: string[];
	/** The options of `send` that `upsert` has. */
	mappingOptions: string;
	/** The resources whose records have a simplified form. */
	simplified: string;
	/** How a time without a zone is sent. */
	times: string;
	/** About answers, and what is not there. */
	feedback: string[];
}

export function textForBuilders(own: Differences): string {
	return [
		"Known ID in a { __rl: true } parameter: mode 'list', value the ID, cachedResultName its name.",
		...own.columns,
		"mappingMode 'autoMapInputData' with value null takes input columns by name. email is required.",
		`upsert has the send options ${own.mappingOptions}.`,
		`getAll: returnAll: boolean = false, limit: number = 50; any number of items per row. ${own.simplified}: simplify: boolean = true; false returns all fields.`,
		`Date filters are moments, from start until before end: $today.minus({ days: 1 }) to $today is yesterday in the workflow's zone. Date columns take ISO 8601 and UNIX time; others, also 31.12.2025, need options.dateOrder. ${own.times}`,
		...own.feedback,
		"Items lack their row: in a Code node, it is $('Rows').itemMatching(i).json.",
		`Writes: options.dryRun. Skipped rows have status 'skipped', reason and details.code. With On Error = Continue, a failed row keeps its input and gets error (text) and details { ${Object.keys(DETAILS).join(', ')} }; code: ${Object.keys(CODES).join(', ')}. An unknown ID fails: unknownContact for people, else notFound. An option's @default holds only if it is added; one that is added and empty fails.`,
		"Tools: toolDescription; output: 'simplified' | 'raw' | 'selectedFields' in place of simplify; outputFields: string[]. An empty filter is no filter.",
	].join('\n');
}
