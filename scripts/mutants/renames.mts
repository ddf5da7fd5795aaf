// `npm run mutants -- --renames`: gives private names of the nodes other names in a copy of the code, all at once, and
// expects that types and fast tests still pass.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

import { ROOT, run } from '../processes.mts';
import { copyOfCode, languageServiceOf } from './code.mts';
import { drawnFrom } from './sample.mts';

/** Renames as many names as asked for, chosen by the seed. Returns the exit code of the fast tests. */
export async function tryRenames(sample: number, seed: number): Promise<number> {
	const copy = copyOfCode();
	const service = languageServiceOf(copy);
	const files = service.getProgram()?.getSourceFiles() ?? [];
	const nodes = files.filter(({ fileName }) => fileName.startsWith(join(copy, 'nodes')));
	const names = drawnFrom(nodes.flatMap(privateNames), sample, seed);
	const edits = names.flatMap((name) => editsOf(service, name));
	for (const file of new Set(edits.map(({ fileName }) => fileName))) {
		const own = edits.filter(({ fileName }) => fileName === file);
		writeFileSync(file, edited(readFileSync(file, 'utf8'), own));
	}
	for (const name of names) {
		console.log(`${relative(copy, name.getSourceFile().fileName)}: ${name.text}`);
	}
	return await run('tsx', ['scripts/test.mts', '--fast'], { cwd: copy, localDir: ROOT });
}

/** Returns the names of local variables and parameters, and of functions, methods and types that no other file can use. */
function privateNames(node: ts.Node): ts.Identifier[] {
	const inside: ts.Identifier[] = [];
	ts.forEachChild(node, (child) => void inside.push(...privateNames(child)));
	if (!isNamed(node) || !node.name || !ts.isIdentifier(node.name)) return inside;
	const { Export, Private } = ts.ModifierFlags;
	const modifiers = ts.getCombinedModifierFlags(node);
	const isPrivate = ts.isMethodDeclaration(node) ? modifiers & Private : !(modifiers & Export);
	return isPrivate && node.name.text !== 'this' ? [...inside, node.name] : inside;
}

function isNamed(node: ts.Node) {
	return (
		ts.isVariableDeclaration(node) ||
		ts.isBindingElement(node) ||
		ts.isParameter(node) ||
		ts.isFunctionDeclaration(node) ||
		ts.isMethodDeclaration(node) ||
		ts.isInterfaceDeclaration(node) ||
		ts.isTypeAliasDeclaration(node)
	);
}

function editsOf(service: ts.LanguageService, name: ts.Identifier) {
	const preferences = { providePrefixAndSuffixTextForRename: true };
	const file = name.getSourceFile().fileName;
	const found = service.findRenameLocations(file, name.getStart(), false, false, preferences) ?? [];
	return found.map((location) => ({ ...location, to: `${name.text}Renamed` }));
}

type Edit = ReturnType<typeof editsOf>[number];

function edited(code: string, edits: Edit[]): string {
	const lastFirst = [...edits].sort((one, other) => other.textSpan.start - one.textSpan.start);
	return lastFirst.reduce((text, { textSpan, prefixText = '', suffixText = '', to }) => {
		const { start, length } = textSpan;
		return text.slice(0, start) + prefixText + to + suffixText + text.slice(start + length);
	}, code);
}
