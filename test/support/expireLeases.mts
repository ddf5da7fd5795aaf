import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Lets an n8n that has ended go on at its next start with what it was publishing. It would wait for two minutes.
 *
 * @param userFolder the folder with its database
 */
export function expireLeases(userFolder: string): void {
	const database = new DatabaseSync(join(userFolder, '.n8n/database.sqlite'));
	database.exec(`UPDATE workflow_publication_outbox SET "updatedAt" = '2026-01-01 00:00:00.000'`);
	database.close();
}
