import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { isRoot } from '../apt.mts';
import { Daemon } from '../daemon.mts';
import { freePort } from '../freePort.mts';
import type { Programs } from './programs.mts';

const run = promisify(execFile);

/** The user of a temporary database that only this machine reaches. */
const USER = 'n8n';

/** A temporary PostgreSQL with its own data folder, on a free port on loopback. */
export class Postgres extends Daemon {
	private constructor(
		command: string[],
		private readonly programs: string,
		private readonly port: number,
	) {
		const at = ['-q', '-h', '127.0.0.1', '-p', String(port)];
		const ask = async () => await run(join(programs, 'pg_isready'), at);
		super({ command, isReady: async () => Boolean(await ask()), startTimeoutMs: 30_000 });
	}

	static async open({ postgres, asPostgres }: Programs, folder: string): Promise<Postgres> {
		const data = join(folder, 'postgres');
		mkdirSync(data, { mode: 0o700 });
		if (isRoot()) await run('chown', ['postgres:', data]);
		const init = [...asPostgres, join(postgres, 'initdb'), '-D', data];
		const [program = '', ...args] = [...init, '-U', USER, '-A', 'trust', '-E', 'UTF8'];
		await run(program, args, { cwd: '/' });
		const port = await freePort();
		const settings = [
			`port=${port}`,
			'listen_addresses=127.0.0.1',
			'unix_socket_directories=',
			'log_min_messages=fatal',
		].flatMap((setting) => ['-c', setting]);
		const command = [...asPostgres, join(postgres, 'postgres'), '-D', data, ...settings];
		const made = new Postgres(command, postgres, port);
		await made.start();
		return made;
	}

	private get address(): string[] {
		return ['-h', '127.0.0.1', '-p', String(this.port), '-U', USER, '-d', 'postgres'];
	}

	private get psqlArgs(): string[] {
		return [...this.address, '-X', '-q', '-A', '-t'];
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
		const { stdout } = await run(join(this.programs, 'psql'), args, {
			maxBuffer: 256 * 1024 * 1024,
		});
		return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
	}

	/**
	 * Runs one of PostgreSQL's programs, such as `pg_dump`, on this database.
	 *
	 * @param args its arguments, without those of the connection
	 */
	async runProgram(program: string, args: string[]): Promise<void> {
		await run(join(this.programs, program), [...this.address, ...args]);
	}

	/** Aborts all work like a crash, and starts again. */
	async restart(): Promise<void> {
		await this.stop('SIGQUIT');
		await this.start();
	}

	/** Aborts all work and shuts down cleanly. */
	override async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
		await super.stop(signal);
	}

	/** Blocks all access to a table. Returns a function that ends the lock. */
	async lock(table: string): Promise<() => Promise<void>> {
		const child = spawn(join(this.programs, 'psql'), this.psqlArgs, {
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		const ended = once(child, 'exit');
		child.stdin.write(`BEGIN; LOCK TABLE ${table}; SELECT 'locked';\n`);
		await once(child.stdout, 'data');
		return async () => {
			child.stdin.end('ROLLBACK;\n');
			await ended;
		};
	}
}
