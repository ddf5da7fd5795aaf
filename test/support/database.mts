import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps n8n's database from being written to, as a long write of another program would.
 *
 * @param userFolder the folder that n8n was started with
 * @returns ends it
 */
export function lockDatabase(userFolder: string): () => void {
	const database = new DatabaseSync(join(userFolder, '.n8n/database.sqlite'));
	database.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
	return () => {
		database.exec('ROLLBACK');
		database.close();
	};
}
