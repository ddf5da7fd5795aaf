import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Postgres } from '../../host/queue/postgres.mts';
import type { Programs } from '../../host/queue/programs.mts';
import { available } from './queue/available.mts';

/** A database of n8n that a test reads directly and makes unavailable. */
export interface Database {
	/** The environment variables with which n8n uses it. */
	env: Record<string, string>;
	/** Returns the rows of a query, with columns as text. */
	rows(sql: string): Promise<string[][]>;
	/** Blocks writes, like a long write of another program. Returns a function that unblocks them. */
	hold(): Promise<() => Promise<void>>;
	/** Makes writes of n8n fail for a time in ms. */
	fail(milliseconds: number): Promise<void>;
	close(): Promise<void>;
}

interface DatabaseKind {
	name: string;
	/** The outage that n8n notices, in ms. */
	outage: number;
	open?: () => Promise<Database>;
}

/** Returns both kinds; PostgreSQL's name contains the reason if it is unavailable. */
export function databaseKinds(): DatabaseKind[] {
	const { found, why } = available();
	return [
		// n8n waits 20 s for a locked file.
		{ name: 'SQLite', outage: 25_000, open: async () => new SqliteDatabase() },
		{
			name: `PostgreSQL ${why}`.trim(),
			outage: 10_000,
			open: found && (async () => await PostgresDatabase.open(found)),
		},
	];
}

class SqliteDatabase implements Database {
	private readonly folder = mkdtempSync(join(tmpdir(), 'surveys-sqlite-'));
	private readonly file = join(this.folder, 'database.sqlite');
	readonly env = { DB_SQLITE_DATABASE: this.file };

	async rows(sql: string): Promise<string[][]> {
		const database = new DatabaseSync(this.file, { readOnly: true });
		const rows = database.prepare(sql).all();
		database.close();
		return rows.map((row) => Object.values(row).map(String));
	}

	async hold(): Promise<() => Promise<void>> {
		const database = new DatabaseSync(this.file);
		database.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
		return async () => {
			database.exec('ROLLBACK');
			database.close();
		};
	}

	async fail(milliseconds: number): Promise<void> {
		const release = await this.hold();
		await new Promise((resolve) => setTimeout(resolve, milliseconds));
		await release();
	}

	async close(): Promise<void> {
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** Starts a PostgreSQL with an empty folder. `close` stops it and removes its data. */
export async function openPostgres(programs: Programs) {
	const folder = mkdtempSync(join(tmpdir(), 'surveys-postgres-'));
	// PostgreSQL's user has to reach its data.
	chmodSync(folder, 0o711);
	const postgres = await Postgres.open(programs, folder);
	const close = async () => {
		await postgres.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	return { postgres, close };
}

class PostgresDatabase implements Database {
	private constructor(
		private readonly postgres: Postgres,
		readonly close: () => Promise<void>,
	) {}

	static async open(programs: Programs): Promise<Database> {
		const { postgres, close } = await openPostgres(programs);
		return new PostgresDatabase(postgres, close);
	}

	get env(): Record<string, string> {
		return this.postgres.env;
	}

	async rows(sql: string): Promise<string[][]> {
		return await this.postgres.rows(sql);
	}

	async hold(): Promise<() => Promise<void>> {
		return await this.postgres.lock('execution_entity');
	}

	async fail(milliseconds: number): Promise<void> {
		await this.postgres.stop();
		await new Promise((resolve) => setTimeout(resolve, milliseconds));
		await this.postgres.start();
	}
}
