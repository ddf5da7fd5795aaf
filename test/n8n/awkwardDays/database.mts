import type { Postgres } from '../../../host/queue/postgres.mts';
import { openPostgres } from '../../support/database.mts';
import { host } from '../../support/n8n.mts';
import { available } from '../../support/queue/available.mts';
import type { Check } from './days.mts';
import type { Play } from './play.mts';

const { found: programs, why } = available();

/** Runs a check of an example with a new PostgreSQL. Without PostgreSQL it is no check but the reason. */
export function onDatabase(work: (play: Play, server: Postgres) => Promise<void>): string | Check {
	if (!programs) return why;
	return async (play) => {
		const { postgres, close } = await openPostgres(programs);
		const { credential } = postgres;
		const made = await host.n8n.createCredential('postgres', 'PostgreSQL', credential);
		const { change } = play.story;
		await play.begin((workflow) => {
			change?.(workflow);
			for (const node of workflow.nodes) {
				if (node.type.endsWith('.postgres')) node.credentials = { postgres: made };
			}
		});
		await play.publish();
		try {
			await work(play, postgres);
		} finally {
			await close();
		}
	};
}
