import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { join } from 'node:path';

import axios from 'axios';

import type { Postgres } from '../../../host/queue/postgres.mts';
import { until } from '../../../host/until.mts';
import { fillIn, readExample } from '../../support/examples.mts';
import { createTable, recordsOf } from '../../support/dataTable.mts';
import { unwrapped } from '../../support/mailbox.mts';
import { host, type Execution, type WorkflowInput, type WorkflowNode } from '../../support/n8n.mts';
import { LOGIN, SECRET, World, type Answer } from './world.mts';

/** The purpose of an example, and how the services show that it was served. */
export interface Story {
	name: string;
	/** The files to import; default: the one of that name. */
	files?: string[];
	/** The words of the AI model. */
	script?: Parameters<typeof World.open>[0];
	/** Prepares the services before the import. */
	begin?: (world: World) => void;
	/** The answers of the CRM, the chat or the help desk. */
	answer?: Answer;
	/** Returns a CRM or a help desk that remembers what it was told. */
	desk?: () => Answer;
	/** Items that come out of a trigger of a service that is not here, by the name of the node. */
	trigger?: Record<string, object[]>;
	/** Changes a workflow after its import. */
	change?: (workflow: WorkflowInput) => void;
	/** Lets it happen: an event, a delivery, a time of the schedule. */
	happens: (play: Play) => Promise<unknown>;
	/** Returns what was done for whom: `survey ada@days.example`. */
	done: (play: Play) => Promise<string[]> | string[];
	/** The effects that have to come, once each. */
	expected: string[];
	/** Prepares its database, and lets a minute pass there. Undefined if it has none. */
	database?: {
		begin: (play: Play) => Promise<unknown>;
		minuteLater: (server: Postgres) => Promise<unknown>;
	};
}

/** The table that many examples share. */
export const ERASED = 'Erased people';

const UNFINISHED = ['new', 'running', 'unknown'];

/** A story with its own services and its workflows in n8n. */
export class Play {
	ids: string[] = [];

	private constructor(
		readonly story: Story,
		readonly world: World,
	) {}

	static async of(story: Story): Promise<Play> {
		return new Play(story, await World.open(story.script));
	}

	get files(): string[] {
		return this.story.files ?? [this.story.name];
	}

	/**
	 * Starts anew: no rows, no records, no runs.
	 *
	 * @param change changes the workflows after their import, in place of the story's own
	 */
	async begin(change = this.story.change): Promise<void> {
		const { story, world } = this;
		await this.end();
		world.reset();
		world.answer = story.desk?.() ?? story.answer ?? (() => ({}));
		story.begin?.(world);
		await this.imported(change);
	}

	/** Removes the workflows and their rows. */
	async end(): Promise<void> {
		for (const id of this.ids) await host.n8n.deleteWorkflow(id);
		this.ids = [];
		await this.deleteTables();
	}

	/** Imports the files, once more if they are there. */
	async imported(change = this.story.change): Promise<string[]> {
		const made: string[] = [];
		for (const file of this.files) {
			const workflow = standIns(
				fillIn(readExample(file), this.world.credentials, this.world.receiver.url),
				this.world,
			);
			change?.(workflow);
			made.push(await host.n8n.createWorkflow(workflow));
		}
		this.ids.push(...made);
		return made;
	}

	async publish(ids = this.ids): Promise<void> {
		for (const id of ids) await host.n8n.activate(id);
	}

	/** Lets a schedule or a trigger of another service start its workflow, with these items. */
	async start(
		trigger: string,
		items: object[] = this.story.trigger?.[trigger] ?? [{}],
	): Promise<void> {
		const at = new Date().toISOString();
		const body = items.map((item) => ({ timestamp: at, ...item }));
		for (const path of await this.pathsOf(trigger)) await this.post(path, body);
	}

	/** Returns the paths that stand in for a trigger, one for each import. */
	private async pathsOf(trigger: string): Promise<string[]> {
		const nodes = (
			await Promise.all(this.ids.map(async (id) => await host.n8n.workflow(id)))
		).flatMap((one) => one.nodes);
		return nodes
			.filter(({ name }) => name === `Start ${trigger}`)
			.map(({ parameters }) => String(parameters?.path));
	}

	private async workflowWith(node: string): Promise<string> {
		for (const id of this.ids) {
			const { nodes } = await host.n8n.workflow(id);
			if (nodes.some(({ name }) => name === node)) return id;
		}
		throw new Error(`${this.story.name} has no node ${node}`);
	}

	/** Posts to a webhook. */
	async post(path: string, body: unknown): Promise<void> {
		await axios.post(`${host.n8n.url}/webhook/${path}`, body, { headers: SECRET });
	}

	async submit(trigger: string, form: FormData): Promise<void> {
		const { nodes } = await host.n8n.workflow(await this.workflowWith(trigger));
		const { webhookId } = nodes.find(({ name }) => name === trigger) ?? {};
		await axios.post(`${host.n8n.url}/form/${webhookId}`, form, { auth: LOGIN });
	}

	/** Runs everything that a schedule starts, so many hours later. */
	async hoursLater(hours: number): Promise<void> {
		this.pass(hours);
		const names = this.files.flatMap((file) =>
			readExample(file)
				.nodes.filter(({ type }) => /scheduleTrigger$/.test(type))
				.map(({ name }) => name),
		);
		for (const name of new Set(names)) {
			await this.start(name);
			await this.settle();
		}
	}

	/** Waits until no run is under way. */
	async settle(): Promise<Execution[]> {
		const { b } = this.world.sandbox;
		const read = async () => {
			await b.idle();
			return await this.runs();
		};
		const isQuiet = (runs: Execution[]) => runs.every(({ status }) => !UNFINISHED.includes(status));
		// A delivery may have been taken a moment ago.
		await until(read, isQuiet, { what: `The runs of ${this.story.name}`, timeoutMs: 400_000 });
		await new Promise((resolve) => setTimeout(resolve, 300));
		return await until(read, isQuiet, {
			what: `The runs of ${this.story.name}`,
			timeoutMs: 400_000,
		});
	}

	async runs(): Promise<Execution[]> {
		const runs = this.ids.map(
			async (id) =>
				await until(
					async () => await host.n8n.executions(id).catch(() => undefined),
					(list) => list !== undefined,
					{ what: 'The runs' },
				),
		);
		return (await Promise.all(runs)).flatMap((list) => list ?? []);
	}

	/** Clicks Retry on every run that failed or crashed, as often as that helps. Returns the number of clicks. */
	async retryAll(): Promise<number> {
		const failed = (await this.runs()).filter(({ status }) =>
			['crashed', 'error'].includes(status),
		);
		// n8n refuses a run that was killed before its first node.
		for (const { id } of failed) await host.n8n.retry(id).catch(() => undefined);
		return failed.length;
	}

	/** Returns everything that a person sees without opening a run. */
	async seen(): Promise<string> {
		const failures = (await this.runs())
			.filter(({ status }) => ['error', 'crashed'].includes(status))
			.map(({ error, status }) => error?.message ?? status);
		return [...this.mails(), ...failures].join('\n');
	}

	/** Returns the mails that came, with their lines as they were written. */
	mails(): string[] {
		return this.world.mailbox.messages.map(unwrapped);
	}

	/** Returns the rows of a data table; none if there is no such table. */
	async rows(table: string): Promise<Array<Record<string, unknown>>> {
		const found = this.tables().find(({ name }) => name === table);
		return found ? await recordsOf(host.n8n, table) : [];
	}

	/** Notes somebody as erased, as erase-person does. */
	async erased(email: string): Promise<void> {
		const person = createHash('sha256').update(email.toLowerCase()).digest('hex');
		await host.n8n.deleteDataTables([ERASED]);
		await createErased([{ person }]);
	}

	/** Returns the columns of a data table that people type text into. */
	textColumnsOf(table: string): string[] {
		const made = this.files
			.flatMap((file) => readExample(file).nodes)
			.find(({ parameters }) => parameters?.tableName === table);
		const { column } = Object(made?.parameters?.columns);
		const columns: Array<{ name: string; type: string }> = column ?? [];
		if (columns.length === 0) throw new Error(`${this.story.name} makes no table ${table}`);
		return columns.filter(({ type }) => type === 'string').map(({ name }) => name);
	}

	/** Types values into a row of a data table; default: all rows. */
	type(table: string, values: Record<string, string | null>, row: number | null = null): void {
		const found = this.tables().find(({ name }) => name === table);
		if (!found) throw new Error(`There is no table ${table}`);
		for (const [column, value] of Object.entries(values)) {
			this.sql(
				`UPDATE data_table_user_${found.id} SET "${column}" = ?, "updatedAt" = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE ? IS NULL OR id = ?`,
				...[value, row, row],
			);
		}
	}

	private hasKeysOfHalfDays(): boolean {
		return JSON.stringify(this.files.map(readExample)).includes('$now.hour < 12');
	}

	/** Moves all dates in the data tables and at the services back, as if so many hours had passed. */
	pass(hours: number): void {
		this.world.passed += hours;
		// The keys of Remove Duplicates begin with the date, or with half of a day: earlier ones match nothing.
		if (hours >= 24 || (hours >= 12 && this.hasKeysOfHalfDays())) {
			for (const id of this.ids) this.sql('DELETE FROM processed_data WHERE "workflowId" = ?', id);
		}
		for (const { id, columns } of this.tables()) {
			for (const column of ['createdAt', 'updatedAt', ...columns]) {
				this.sql(
					`UPDATE data_table_user_${id} SET "${column}" = strftime('%Y-%m-%d %H:%M:%f', "${column}", '-${hours} hours') WHERE "${column}" IS NOT NULL`,
				);
			}
		}
		const { a, b } = this.world.sandbox;
		const earlier = (date: string) => {
			const at = Date.parse(date);
			return Number.isNaN(at) ? date : new Date(at - hours * 3_600_000).toISOString();
		};
		for (const one of a.state.outbox) {
			const { sentDate, surveyCreatedDate = sentDate } = one;
			Object.assign(one, {
				sentDate: earlier(sentDate),
				surveyCreatedDate: earlier(surveyCreatedDate),
			});
		}
		for (const one of a.state.feedback) one.createdDate = earlier(one.createdDate);
		for (const one of b.state.feedback) {
			one.created = earlier(one.created);
			one.status_changed = earlier(one.status_changed);
		}
		for (const [email, at] of b.state.lastSurveyed)
			b.state.lastSurveyed.set(email, at - hours * 3_600_000);
	}

	/** The data tables of the files. */
	private tables(): Array<{ id: string; name: string; columns: string[] }> {
		const names = new Set(this.files.flatMap((file) => tablesOf(readExample(file))));
		const found = this.sql('SELECT id, name FROM data_table').filter(({ name }) =>
			names.has(String(name)),
		);
		return found.map(({ id, name }) => {
			const columns = this.sql(
				`SELECT name FROM data_table_column WHERE "dataTableId" = '${id}' AND type = 'date'`,
			);
			return {
				id: String(id),
				name: String(name),
				columns: columns.map((one) => String(one.name)),
			};
		});
	}

	private async deleteTables(): Promise<void> {
		await host.n8n.deleteDataTables(this.tables().map(({ name }) => name));
	}

	private sql(text: string, ...values: SQLInputValue[]): Array<Record<string, unknown>> {
		const database = new DatabaseSync(join(host.userFolder, '.n8n/database.sqlite'));
		try {
			database.exec('PRAGMA busy_timeout = 10000');
			return database.prepare(text).all(...values) as Array<Record<string, unknown>>;
		} finally {
			database.close();
		}
	}
}

/** Creates the table of erased people, which many examples share. */
export async function createErased(people: Array<{ person: string }> = []): Promise<void> {
	await createTable(host.n8n, ERASED, [{ name: 'person', type: 'string' }], people);
}

/** Returns the names of the data tables that a workflow names. */
export function tablesOf({ nodes }: WorkflowInput): string[] {
	return nodes.flatMap(({ parameters = {} }) => {
		const { tableName, dataTableId } = parameters;
		const value = typeof tableName === 'string' ? tableName : Object(dataTableId).value;
		return typeof value === 'string' && value !== '' && !value.startsWith('=') ? [value] : [];
	});
}

/** Nodes of services that are not here. */
const FOREIGN = /\.(hubspot|salesforce|zendesk|slack|googleSheets|intercom|freshdesk)(Tool)?$/;

/** Triggers that do not fire here by themselves. */
const SILENT =
	/\.(scheduleTrigger|manualTrigger|hubspotTrigger|salesforceTrigger|surveyATrigger|emailReadImap)$/;

let imports = 0;

/**
 * Replaces the nodes of services that are not here by requests to the receiver, and the triggers that do not fire here by
 * webhooks: n8n retries what a webhook has started like any run in production.
 */
function standIns(workflow: WorkflowInput, world: World): WorkflowInput {
	imports++;
	const nodes = workflow.nodes.map((node) => {
		if (SILENT.test(node.type)) return itemsOfBody(node);
		return FOREIGN.test(node.type) ? standIn(node, world) : node;
	});
	const starts = workflow.nodes
		.filter(({ type }) => SILENT.test(type))
		.map(({ name, position = [0, 0] }) => ({
			name: `Start ${name}`,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: `start-${imports}-${name.replaceAll(' ', '-')}`,
			position: [position[0] - 240, position[1]] as [number, number],
			parameters: {
				httpMethod: 'POST',
				path: `start-${imports}-${name.replaceAll(' ', '-')}`,
				responseMode: 'onReceived',
				options: {},
			},
		}));
	const connections = { ...workflow.connections };
	for (const { name } of starts) {
		connections[name] = { main: [[{ node: name.replace('Start ', ''), type: 'main', index: 0 }]] };
	}
	return { ...workflow, nodes: [...nodes, ...starts], connections, pinData: {} };
}

function itemsOfBody({ name, id, position }: WorkflowNode): WorkflowNode {
	const parameters = { fieldToSplitOut: 'body', options: {} };
	return { name, id, position, type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters };
}

function standIn(node: WorkflowNode, world: World): WorkflowNode {
	const values = expressionsIn(node.parameters).map(([name, value]) => ({ name, value }));
	return {
		...node,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: {},
		parameters: {
			method: 'POST',
			url: `${world.receiver.url}/${node.name.toLowerCase().replaceAll(' ', '-')}`,
			sendBody: true,
			bodyParameters: { parameters: values },
			options: {},
		},
	};
}

/** Returns the expressions in a value, each with its path: `additionalFields/status`. */
function expressionsIn(value: unknown, path = ''): Array<[path: string, text: string]> {
	if (typeof value === 'string') return value.startsWith('=') ? [[path, value]] : [];
	return Object.entries(Object(value)).flatMap(([key, inside]) =>
		expressionsIn(inside, path === '' ? key : `${path}/${key}`),
	);
}
