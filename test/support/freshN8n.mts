import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { packedPackage, N8n } from '../../host/index.mts';

/** An n8n with the packed package, and the folder with its database, `.n8n/database.sqlite`. */
export interface FreshN8n {
	n8n: N8n;
	userFolder: string;
}

/** n8n writes the files of its editor at each start, which takes nearly half of it. */
export const WITHOUT_EDITOR = { N8N_DISABLE_UI: 'true' };

/** The environment of an n8n whose editor is opened in a browser. */
export const WITH_EDITOR = { N8N_DISABLE_UI: 'false' };

/**
 * Starts an n8n in a new user folder. The first start creates tables, a key and an owner, which takes longer than the rest,
 * so the tests of one run start from a copy of them.
 *
 * @param env environment variables besides those of every test
 * @param installation a folder with another n8n than the installed one
 */
export async function freshN8n(
	env?: Record<string, string>,
	installation?: string,
): Promise<FreshN8n> {
	const root = process.cwd();
	const userFolder = mkdtempSync(join(tmpdir(), 'surveys-test-'));
	const tarball = packedPackage(root);
	const kept = `${tarball}.n8n`;
	const isUsual = installation === undefined;
	if (isUsual && existsSync(kept)) {
		cpSync(kept, join(userFolder, '.n8n'), { recursive: true });
	}
	const n8n = await N8n.start({
		root,
		tarball,
		userFolder,
		env: { ...WITHOUT_EDITOR, ...env },
		installation,
	});
	if (isUsual && env === undefined && !existsSync(kept)) keep(kept, userFolder);
	return { n8n, userFolder };
}

/** Keeps the data of an n8n that has just started. */
function keep(kept: string, userFolder: string): void {
	const made = join(userFolder, '.n8n');
	const copy = mkdtempSync(`${kept}-`);
	cpSync(join(made, 'config'), join(copy, 'config'));
	// Back up the database: n8n has it open.
	const database = new DatabaseSync(join(made, 'database.sqlite'), { readOnly: true });
	database.exec(`VACUUM INTO '${join(copy, 'database.sqlite')}'`);
	database.close();
	try {
		renameSync(copy, kept);
	} catch {
		// Another process of this run was faster.
		rmSync(copy, { recursive: true });
	}
}
