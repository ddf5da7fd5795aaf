import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

import ts from 'typescript';

import { ROOT, scratchFolder } from '../processes.mts';

const NOT_COPIED = ['node_modules', '.git', 'dist', 'coverage', '.surveys'];

/** Copies this repository to a temporary folder, with a link to its node_modules, and returns the folder. */
export function copyOfCode(): string {
	const copy = join(scratchFolder(), 'code');
	mkdirSync(copy);
	cpSync(ROOT, copy, {
		recursive: true,
		filter: (path) => path === ROOT || !NOT_COPIED.includes(basename(path)),
	});
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}

/** Returns TypeScript's view of a copy, as its files are when it is first used. */
export function languageServiceOf(folder: string): ts.LanguageService {
	const config = ts.readConfigFile(join(folder, 'tsconfig.dev.json'), ts.sys.readFile);
	const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, folder);
	return ts.createLanguageService({
		...ts.sys,
		useCaseSensitiveFileNames: () => true,
		getScriptFileNames: () => fileNames,
		getScriptVersion: () => '1',
		getScriptSnapshot: (file) => ts.ScriptSnapshot.fromString(ts.sys.readFile(file) ?? ''),
		getCurrentDirectory: () => folder,
		getCompilationSettings: () => options,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
	});
}
