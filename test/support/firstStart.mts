import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * The tables, key and owner that n8n creates on its first start. That takes longer than the rest of its start, so the
 * tests of one run share a copy.
 */
export class FirstStart {
	/** @param kept the folder with the copy */
	constructor(private readonly kept: string) {}

	/** Copies the data into a new user folder, if there is a copy yet. */
	copyTo(userFolder: string): void {
		if (existsSync(this.kept)) cpSync(this.kept, join(userFolder, '.n8n'), { recursive: true });
	}

	/** Keeps the data of an n8n that has just started. */
	keep(userFolder: string): void {
		if (existsSync(this.kept)) return;
		const made = join(userFolder, '.n8n');
		const copy = mkdtempSync(`${this.kept}-`);
		cpSync(join(made, 'config'), join(copy, 'config'));
		// Back up the database: n8n has it open.
		const database = new DatabaseSync(join(made, 'database.sqlite'), { readOnly: true });
		database.exec(`VACUUM INTO '${join(copy, 'database.sqlite')}'`);
		database.close();
		try {
			renameSync(copy, this.kept);
		} catch {
			// Another process of this run was faster.
			rmSync(copy, { recursive: true });
		}
	}
}
