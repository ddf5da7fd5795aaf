import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import getPort from 'get-port';

import { Daemon } from './daemon.mts';
import type { Programs } from './programs.mts';

const run = promisify(execFile);

/** The user of a temporary database that only this machine reaches. */
const USER = 'n8n';

/** A temporary PostgreSQL with its own data folder, on a free port on loopback. */
export class Postgres {
	private constructor(
		private readonly daemon: Daemon,
		private readonly psql: string,
		readonly port: number,
	) {}

	static async start(programs: Programs, folder: string): Promise<Postgres> {
		const { postgres, asPostgres } = programs;
		const data = join(folder, 'postgres');
		const command = (name: string, ...args: string[]) => [
			...asPostgres,
			join(postgres, name),
			...args,
		];
		mkdirSync(data, { mode: 0o700 });
		if (asPostgres.some((part) => part.startsWith('--reuid'))) {
			execFileSync('chown', ['postgres:', data]);
		}
		const [program = '', ...args] = command(
			'initdb',
			'-D',
			data,
			'-U',
			USER,
			'-A',
			'trust',
			'-E',
			'UTF8',
		);
		await run(program, args, { cwd: '/' });
		const port = await getPort();
		const settings = [
			`port=${port}`,
			'listen_addresses=127.0.0.1',
			'unix_socket_directories=',
			'log_min_messages=fatal',
		];
		const server = command(
			'postgres',
			'-D',
			data,
			...settings.flatMap((setting) => ['-c', setting]),
		);
		const isReady = async () =>
			await run(join(postgres, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
				() => true,
				() => false,
			);
		const made = new Postgres(new Daemon(server, isReady), join(postgres, 'psql'), port);
		await made.daemon.start();
		return made;
	}

	get pid(): number | undefined {
		return this.daemon.pid;
	}

	private get psqlArgs(): string[] {
		const at = ['-h', '127.0.0.1', '-p', String(this.port), '-U', USER, '-d', 'postgres'];
		return [...at, '-X', '-q', '-A', '-t'];
	}

	/** The settings of n8n for this database. */
	get env(): Record<string, string> {
		return {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(this.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: '',
		};
	}

	/** The data of a credential for n8n's Postgres node. */
	get credential(): Record<string, string | number> {
		return { host: '127.0.0.1', port: this.port, database: 'postgres', user: USER, password: '' };
	}

	/** Runs a query and returns the columns of each row as text. */
	async rows(sql: string): Promise<string[][]> {
		const args = [...this.psqlArgs, '-F', '\t', '-c', sql];
		const { stdout } = await run(this.psql, args, { maxBuffer: 256 * 1024 * 1024 });
		return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
	}

	/** Aborts all work like a crash, and starts again. */
	async restart(): Promise<void> {
		await this.daemon.end('SIGQUIT');
		await this.daemon.start();
	}

	/** Aborts all work and shuts down cleanly. */
	async stop(): Promise<void> {
		await this.daemon.end('SIGINT');
	}

	/** Starts again after `stop`, with the same data. */
	async revive(): Promise<void> {
		await this.daemon.start();
	}

	/** Blocks all access to a table. Returns a function that ends the lock. */
	async lock(table: string): Promise<() => Promise<void>> {
		const child = spawn(this.psql, this.psqlArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
		const ended = once(child, 'exit');
		child.stdin.write(`BEGIN; LOCK TABLE ${table}; SELECT 'locked';\n`);
		await once(child.stdout, 'data');
		return async () => {
			child.stdin.end('ROLLBACK;\n');
			await ended;
		};
	}
}
