/** @jest-environment ./test/support/n8nEnvironment.mts */
import { z } from 'zod';

import { host, sandbox, withHost, type WorkflowInput } from '../support/n8n.mts';

// Feedback with Answers as Columns goes into a data table of a real n8n and is read back.

const ROWS = 500;
const QUESTIONS = 25;

withHost();

beforeEach(() => {
	sandbox.a.reset();
	sandbox.b.reset();
});

type Service = 'A' | 'B';
type Row = Record<string, unknown>;

const questionsOf = (row: number) => [0, 1, 2].map((place) => (row + place) % QUESTIONS);
const isRating = (question: number) => question < QUESTIONS / 2;

/** Feedback that answers three of 25 questions each, so that rows differ in their columns. */
const SEEDS: Record<Service, () => void> = {
	A: () => {
		const { state } = sandbox.a;
		sandbox.a.seedFeedback(ROWS - state.feedback.length);
		state.feedback.forEach((feedback, row) => {
			feedback.additionalQuestions = questionsOf(row).map((question) => ({
				type: isRating(question) ? 'RATING' : 'TEXT',
				questionText: `${question}. "How was it?" (überall)`,
				answer: isRating(question) ? row % 11 : `Answer ${row}, with "quotes" and\na line`,
			}));
			feedback.customProps = [{ name: 'plan', type: 'string', value: row % 2 ? 'Team' : 'Free' }];
		});
	},
	B: () => {
		const { state } = sandbox.b;
		sandbox.b.seedFeedback(ROWS - state.feedback.length);
		state.feedback.forEach(({ survey }, row) => {
			survey.attributes = Object.fromEntries(
				questionsOf(row).map((question) => [`${question}. How was it?`, `Answer ${row}`]),
			);
		});
	},
};

/** The columns of n8n's data tables have letters, digits and underscores, and n8n uses `id` itself. */
const RENAME =
	"={{ Object.fromEntries(Object.entries($json).map(([name, value]) => ['c_' + name.replace(/\\W+/g, '_'), value])) }}";

function workflow(service: Service, tableId: string): WorkflowInput {
	const table = { type: 'n8n-nodes-base.dataTable', typeVersion: 1 };
	const row = { resource: 'row', dataTableId: { __rl: true, mode: 'id', value: tableId } };
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	return {
		name: `Feedback of Survey ${service} in a data table`,
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{
				name: 'Feedback',
				type: `n8n-nodes-surveys.survey${service}`,
				parameters: {
					resource: 'feedback',
					operation: 'getAll',
					returnAll: true,
					options: { answersAsColumns: true },
				},
				credentials: host.credentials,
			},
			{
				name: 'Rename',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: RENAME, options: {} },
			},
			{
				...table,
				name: 'Insert',
				parameters: {
					...row,
					operation: 'insert',
					columns: { mappingMode: 'autoMapInputData', value: null },
				},
			},
			{
				...table,
				name: 'Read Back',
				executeOnce: true,
				parameters: { ...row, operation: 'get', returnAll: true },
			},
		],
		connections: {
			Start: to('Feedback'),
			Feedback: to('Rename'),
			Rename: to('Insert'),
			Insert: to('Read Back'),
		},
	};
}

/** Returns a column for each field, with the type that all its values have, else string. */
function columnsOf(rows: Row[]) {
	return Object.keys(rows[0] ?? {}).map((name) => {
		const values = rows.map((row) => row[name]).filter((value) => value !== null);
		const types = [...new Set(values.map((value) => typeof value))];
		return { name, type: types.length === 1 ? types[0] : 'string' };
	});
}

const idSchema = z.object({ id: z.string() });

async function createTable(name: string, rows: Row[]): Promise<string> {
	const project = await host.n8n.get('/projects/personal', idSchema);
	const path = `/projects/${project.id}/data-tables`;
	const table = await host.n8n.post(path, { name, columns: columnsOf(rows) }, idSchema);
	return table.id;
}

test.each<Service>(['A', 'B'])(
	'Answers as Columns of 500 feedback responses of Survey %s go into an n8n data table and come back unchanged',
	async (service) => {
		SEEDS[service]();
		const { n8n } = host;
		const id = await n8n.createWorkflow(workflow(service, 'none'));
		const preview = await n8n.run(id, { destination: 'Rename' });
		const renamed = preview.items('Rename').map(({ json }) => json);
		expect(renamed).toHaveLength(ROWS);
		const columns = Object.keys(renamed[0] ?? {});
		expect(columns.filter((name) => name.includes('How_was_it'))).toHaveLength(QUESTIONS);
		for (const row of renamed) expect(Object.keys(row)).toEqual(columns);

		await n8n.updateWorkflow(
			id,
			workflow(service, await createTable(`Feedback ${service}`, renamed)),
		);
		const execution = await n8n.run(id);
		expect(execution.error).toBeUndefined();
		// The table adds its own id, createdAt and updatedAt.
		const readBack = execution
			.items('Read Back')
			.map(({ json }) => Object.fromEntries(columns.map((name) => [name, json[name]])));
		expect(readBack).toEqual(renamed);
	},
	180_000,
);
