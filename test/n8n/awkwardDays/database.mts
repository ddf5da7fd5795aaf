import type { Postgres } from '../../../host/queue/postgres.mts';
import { openPostgres } from '../../support/database.mts';
import { host } from '../../support/n8n.mts';
import { available } from '../../support/queue/available.mts';
import { imported } from './setup.mts';

const { found: programs, why } = available();

/** Runs a check of an example with a new PostgreSQL. Without PostgreSQL it is no check but the reason. */
export function onDatabase(
	name: string,
	work: (id: string, server: Postgres) => Promise<void>,
): string | (() => Promise<void>) {
	if (!programs) return why;
	return async () => {
		const { postgres, close } = await openPostgres(programs);
		const { credential } = postgres;
		const made = await host.n8n.createCredential('postgres', 'PostgreSQL', credential);
		const id = await imported(name, ({ nodes }) => {
			for (const node of nodes) {
				if (node.type.endsWith('.postgres')) node.credentials = { postgres: made };
			}
		});
		await work(id, postgres).finally(close);
	};
}
