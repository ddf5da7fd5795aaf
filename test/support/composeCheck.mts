import { spawnSync } from 'node:child_process';

/** The variables that `compose.yaml` requires. */
const GIVEN = {
	N8N_ENCRYPTION_KEY: 'key',
	POSTGRES_PASSWORD: 'password',
	PUBLIC_URL: 'http://url',
};

/**
 * Checks `compose.yaml` with docker compose if it is installed, else with the schema of compose files.
 *
 * @returns the problems; an empty text if it is valid
 */
export function composeProblems(): string {
	const command = succeeds('docker', 'compose', 'version')
		? ['docker', 'compose', 'config', '--quiet']
		: [process.execPath, 'node_modules/dclint/bin/dclint.cjs', '--quiet', 'compose.yaml'];
	const [program = '', ...args] = command;
	const env = { ...process.env, ...GIVEN };
	const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
	return status === 0 ? '' : `${stdout}${stderr}` || `${program} ended with ${status}`;
}

function succeeds(program: string, ...args: string[]): boolean {
	return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
