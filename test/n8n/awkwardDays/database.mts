import type { Postgres } from '../../../host/queue/postgres.mts';
import { openPostgres } from '../../support/database.mts';
import { host, type WorkflowInput } from '../../support/n8n.mts';
import { available } from '../../support/queue/available.mts';
import type { Check } from './days.mts';
import type { Play } from './play.mts';

const { found: programs, why } = available();

export const hasPostgres = programs !== undefined;

/** Opens a new PostgreSQL. `connect` lets a workflow use it. */
export async function openDatabase(installed = programs) {
	if (!installed) throw new Error(why);
	const { postgres, close } = await openPostgres(installed);
	const made = await host.n8n.createCredential('postgres', 'PostgreSQL', postgres.credential);
	const connect = ({ nodes }: WorkflowInput) => {
		for (const node of nodes) {
			if (node.type.endsWith('.postgres')) node.credentials = { postgres: made };
		}
	};
	return { postgres, close, connect };
}

/** Runs a check of an example with a new PostgreSQL. Without PostgreSQL it is no check but the reason. */
export function onDatabase(work: (play: Play, server: Postgres) => Promise<void>): string | Check {
	if (!programs) return why;
	return async (play) => {
		const { postgres, close, connect } = await openDatabase(programs);
		const { change } = play.story;
		await play.begin((workflow) => {
			change?.(workflow);
			connect(workflow);
		});
		await play.publish();
		try {
			await work(play, postgres);
		} finally {
			await close();
		}
	};
}
