// `npm run update`: writes every generated file, formatted: the tables of docs and the list of public names. Tests make
// them, because they run the nodes for that. The build makes the editor's previews.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, run, runMain } from './processes.mts';

async function main(): Promise<number> {
	const makers = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((path) => /\.test\.m?ts$/.test(path))
		.map((path) => join('test', path))
		.filter((path) => /\bexpectFile\(/.test(readFileSync(join(ROOT, path), 'utf8')));
	const code = await run('jest', ['--runTestsByPath', ...makers], { env: { UPDATE_FILES: '1' } });
	await run('prettier', ['--write', '--log-level=warn', 'docs']);
	return code;
}

await runMain(main);
