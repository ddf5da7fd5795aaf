import { setTimeout as sleep } from 'node:timers/promises';

import { chain } from '../../../host/chain.mts';
import { inLanes } from '../../../host/inLanes.mts';
import { packedPackage } from '../../../host/package.mts';
import type { Programs } from '../../../host/queue/programs.mts';
import { QueueMode } from '../../../host/queue/queueMode.mts';
import type { WorkflowInput, WorkflowNode } from '../../../host/types.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/index';
import { WITHOUT_EDITOR } from '../freshN8n.mts';
import { credentialsFor, type Made } from '../n8n.mts';

/** Tests and scripts run from the repository's root. */
const ROOT = process.cwd();

/** An execution that did not succeed. */
export interface Failed {
	id: string;
	status: string;
	/** The marker of its change or send; empty if n8n has deleted its data. */
	marker: string;
}

const LOOK_MS = 500;
const RETRIES_IN_FLIGHT = 8;

/** The texts in deliveries and bulk sends that identify their executions. */
const MARKER = '(?:change|bulk)-[0-9]+-[0-9]+';

/** n8n in queue mode, and both services with a credential each. */
export class QueueSetup {
	private constructor(
		readonly sandbox: Sandbox,
		readonly n8n: QueueMode,
		readonly credentials: Record<'surveyAApi' | 'surveyBApi' | 'postgres', Made>,
	) {}

	static async open(programs: Programs, env?: Record<string, string>): Promise<QueueSetup> {
		const sandbox = await startSandbox();
		try {
			const options = {
				root: ROOT,
				tarball: packedPackage(ROOT),
				programs,
				env: { ...WITHOUT_EDITOR, ...env },
			};
			const n8n = await QueueMode.start(options);
			return new QueueSetup(sandbox, n8n, {
				...(await credentialsFor(sandbox, n8n)),
				postgres: await n8n.createCredential('postgres', 'PostgreSQL', n8n.postgres.credential),
			});
		} catch (error) {
			await sandbox.close();
			throw error;
		}
	}

	async close(): Promise<void> {
		await this.n8n.stop();
		await this.sandbox.close();
	}

	/** Publishes a workflow with these nodes in a chain. */
	async publish(name: string, ...nodes: WorkflowNode[]): Promise<string> {
		const connections = chain(...nodes.map((node) => node.name));
		const id = await this.n8n.createWorkflow(
			this.withCredentials({ name, nodes, connections, settings: { executionOrder: 'v1' } }),
		);
		await this.n8n.activate(id);
		return id;
	}

	/** Returns the ID of the last execution so far. Later ones have higher IDs. */
	async lastExecution(): Promise<number> {
		const [row] = await this.n8n.postgres.rows('select coalesce(max(id), 0) from execution_entity');
		return Number(row?.[0]);
	}

	/** Returns the later executions that did not succeed, without retries. */
	async failed(workflowIds: string[], since: number): Promise<Failed[]> {
		const rows = await this.n8n.postgres.rows(
			`select id, status, coalesce(substring(d.data from '${MARKER}'), '')
			from execution_entity e left join execution_data d on d."executionId" = e.id
			where ${where(workflowIds, since)} and "retryOf" is null
			and e.status in ('error', 'crashed', 'canceled') order by e.id`,
		);
		return rows.map(([id = '', status = '', marker = '']) => ({ id, status, marker }));
	}

	/**
	 * Waits until all executions of these workflows have ended.
	 *
	 * @returns the number of executions that had not ended within the time limit
	 */
	async settled(workflowIds: string[], timeoutMs: number): Promise<number> {
		const sql = `select count(*) from execution_entity
			where ${where(workflowIds, 0)} and status in ('new', 'running', 'waiting')`;
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const [row] = await this.n8n.postgres.rows(sql);
			const left = Number(row?.[0]);
			if (left === 0 || Date.now() > deadline) return left;
			await sleep(LOOK_MS);
		}
	}

	/** Retries executions, as the editor does. What n8n refuses to retry has not run in the end. */
	async retryAll(failed: Failed[]): Promise<void> {
		await inLanes(failed, RETRIES_IN_FLIGHT, async ({ id }) => {
			await this.n8n.post(`/executions/${id}/retry`, {}).catch(() => undefined);
		});
	}

	private withCredentials(workflow: WorkflowInput): WorkflowInput {
		const made = new Map(Object.entries(this.credentials));
		const nodes = workflow.nodes.map((node) => ({
			...node,
			credentials: Object.fromEntries(
				Object.entries(node.credentials ?? {}).map(([type, given]) => [
					type,
					made.get(type) ?? given,
				]),
			),
		}));
		return { ...workflow, nodes };
	}
}

function where(workflowIds: string[], since: number) {
	const ids = workflowIds.map((id) => `'${id}'`).join(', ');
	return `"workflowId" in (${ids}) and id > ${since}`;
}
