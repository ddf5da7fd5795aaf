import { readdirSync, readFileSync } from 'node:fs';

import ts from 'typescript';

/** Returns what a file exports: each name with the first sentence of its docstring. */
function exportsOf(path: string): Array<[name: string, sentence: string]> {
	const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
	return file.statements.flatMap((node) => {
		const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
		if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
		const named = ts.isVariableStatement(node) ? [...node.declarationList.declarations] : [node];
		const docs = ts.getJSDocCommentsAndTags(node).map((doc) => String(doc.comment ?? ''));
		const [sentence = ''] = docs
			.join(' ')
			.replace(/\s+/g, ' ')
			.split(/(?<=[.:])\s/);
		return named.map((one): [string, string] => [
			'name' in one && one.name ? (one.name as ts.Node).getText() : '',
			sentence,
		]);
	});
}

const files = readdirSync('nodes/shared', { recursive: true, encoding: 'utf8' })
	.filter((path) => path.endsWith('.ts'))
	.map((path) => `nodes/shared/${path}`);
const concepts = files.flatMap(exportsOf);

/** Overloads share the docstring of the first one. */
const sentences = new Map(concepts.filter(([, sentence]) => sentence !== ''));

test('everything that nodes/shared exports is defined by a sentence', () => {
	expect(concepts.length).toBeGreaterThan(100);
	expect(concepts.filter(([name]) => !sentences.has(name)).map(([name]) => name)).toEqual([]);
});

test('no two names in nodes/shared have the same definition', () => {
	const all = [...sentences.values()];
	expect(all.filter((sentence, i) => all.indexOf(sentence) !== i)).toEqual([]);
});

test('no two modules of nodes/shared export the same name', () => {
	const names = files.flatMap((path) => [...new Set(exportsOf(path).map(([name]) => name))]);
	expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

/** Returns the names that a file declares for itself or for others. */
function declaredIn(path: string): string[] {
	const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
	return file.statements.flatMap((node) => {
		const named = ts.isVariableStatement(node) ? [...node.declarationList.declarations] : [node];
		return named.flatMap((one) => {
			if (!('name' in one) || !one.name) return [];
			const name = one.name as ts.Node;
			if (!ts.isObjectBindingPattern(name)) return [name.getText()];
			return name.elements.map((element) => element.name.getText());
		});
	});
}

test.each(['SurveyA', 'SurveyB'])(
	'a name has one meaning in nodes/shared and nodes/%s, also if it is private to its file',
	(folder) => {
		const own = readdirSync(`nodes/${folder}`, { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.ts'))
			.map((path) => `nodes/${folder}/${path}`);
		const names = [...files, ...own].flatMap((path) => [...new Set(declaredIn(path))]);
		expect(names.length).toBeGreaterThan(500);
		expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
	},
);
