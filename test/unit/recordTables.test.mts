import { feedback as feedbackA } from '../../nodes/SurveyA/records/feedback';
import { sentSurvey } from '../../nodes/SurveyA/records/outbox';
import { report } from '../../nodes/SurveyA/records/report';
import { feedback as feedbackB } from '../../nodes/SurveyB/records/feedback';
import { metrics } from '../../nodes/SurveyB/records/metric';
import type { RecordForms } from '../../nodes/shared/recordForms';
import { expectFile } from '../support/files.mts';

const RECORDS: Array<[title: string, forms: RecordForms]> = [
	['Survey A: feedback response', feedbackA],
	['Survey A: sent survey', sentSurvey],
	['Survey A: report', report],
	['Survey B: feedback response', feedbackB],
	['Survey B: campaign metrics', metrics],
];

/** The simplified fields that come from a raw field, by its name at the top of the record. */
function simplifiedFrom({ simplified }: RecordForms, raw: string): string[] {
	return Object.entries(simplified).flatMap(([name, field]) => {
		const paths = typeof field === 'string' ? [field] : field.from;
		const path = paths.find((one) => one.split('.')[0] === raw);
		return path ? [path === name ? name : `${name} (${path})`] : [];
	});
}

function table([title, forms]: (typeof RECORDS)[number]): string {
	const rows = Object.keys(forms.raw().shape).map((raw) => {
		const names = simplifiedFrom(forms, raw);
		return `| ${raw} | ${names.length > 0 ? names.join(', ') : '–'} |`;
	});
	return [`## ${title}`, '', '| Raw | Simplified |', '| --- | --- |', ...rows].join('\n');
}

const page = `# Records

For people who map the output of Survey A and Survey B: the fields of a record with Simplify off (raw, as the service names
them) and with Simplify on. This page is evidence: a test writes and checks it.

A sheet or a data table holds one value per cell. So the simplified \`tags\` of Survey B are one text: \`pricing, support\`.
Answers, properties and attributes are objects. Answers as Columns turns each of them into a column, and a list into text;
attributes of the survey have \`(survey)\` behind their name. Topics, tag categories and the score type are in the raw record.

n8n's data tables have an \`id\` of their own and drop ours in Map Automatically, and their column names have letters, digits
and \`_\` only. Map each column manually there: \`{{ $json.id }}\` into a column \`feedback_id\`, a question by its name in brackets.

${RECORDS.map(table).join('\n\n')}
`;

test('docs/records.md lists every field of the contract with its simplified name', () => {
	expectFile('docs/records.md', page);
});

test.each(RECORDS)('%s has at most ten simplified fields', (_, { simplified }) => {
	expect(Object.keys(simplified).length).toBeLessThanOrEqual(10);
});

test.each(RECORDS)(
	'%s has only simplified fields that come from a field of the contract',
	(_, forms) => {
		const raw = Object.keys(forms.raw().shape);
		for (const field of Object.values(forms.simplified)) {
			const paths = typeof field === 'string' ? [field] : field.from;
			for (const path of paths) expect(raw).toContain(path.split('.')[0]);
		}
	},
);

test.each(RECORDS)('%s offers agents exactly the raw fields of the contract', (_, forms) => {
	expect(forms.raw.fields).toEqual(Object.keys(forms.raw().shape));
});
