import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Tests run from the repository's root. */
const ROOT = process.cwd();

/** Returns the text of a file of the repository; empty if there is none. */
export function fileText(path: string): string {
	const file = resolve(ROOT, path);
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Returns the paths of all files below a folder whose names match. */
export function filesBelow(folder: string, name: RegExp): string[] {
	const paths = readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' });
	return paths.filter((path) => name.test(path)).map((path) => `${folder}/${path}`);
}

/** Compares a text with a file of the repository, apart from the width of its tables. `npm run update` writes the file. */
export function expectFile(path: string, text: string): void {
	if (process.env.UPDATE_FILES) writeFileSync(resolve(ROOT, path), text);
	const unpadded = (table: string) => table.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
	const writtenBy = '`npm run update` writes this file';
	expect({ [path]: unpadded(fileText(path)), writtenBy }).toEqual({
		[path]: unpadded(text),
		writtenBy,
	});
}
