import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * What n8n makes when it starts for the first time: its tables, its key, its owner. That takes it longer than all
 * the rest of its start, so the tests of one run, which begin with a new user folder each, do it once.
 */
export class FirstStart {
	/** @param kept the folder that this run keeps it in */
	constructor(private readonly kept: string) {}

	/** Gives a new user folder what is kept, if anything is by now. */
	copyTo(userFolder: string): void {
		if (existsSync(this.kept)) cpSync(this.kept, join(userFolder, '.n8n'), { recursive: true });
	}

	/** Keeps what an n8n has made that has just started. */
	keep(userFolder: string): void {
		if (existsSync(this.kept)) return;
		const made = join(userFolder, '.n8n');
		const copy = mkdtempSync(`${this.kept}-`);
		cpSync(join(made, 'config'), join(copy, 'config'));
		// n8n has its database open.
		const database = new DatabaseSync(join(made, 'database.sqlite'), { readOnly: true });
		database.exec(`VACUUM INTO '${join(copy, 'database.sqlite')}'`);
		database.close();
		try {
			renameSync(copy, this.kept);
		} catch {
			// Another process of this run was first.
			rmSync(copy, { recursive: true });
		}
	}
}
