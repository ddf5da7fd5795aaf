import ts from 'typescript';

import { fileText, filesBelow } from '../support/files.mts';

const parsed = (path: string) =>
	ts.createSourceFile(path, fileText(path), ts.ScriptTarget.Latest, true);

/** Returns the names that a statement declares. */
function namesIn(statement: ts.Statement): string[] {
	const declared = ts.isVariableStatement(statement)
		? [...statement.declarationList.declarations]
		: [statement];
	return declared.flatMap((one) => {
		if (!('name' in one) || !one.name) return [];
		const name = one.name as ts.Node;
		if (!ts.isObjectBindingPattern(name)) return [name.getText()];
		return name.elements.map((element) => element.name.getText());
	});
}

/** Returns what a file exports: each name with the first sentence of its docstring. */
function exportsOf(path: string): Array<[name: string, sentence: string]> {
	return parsed(path).statements.flatMap((node) => {
		const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
		if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
		const docs = ts.getJSDocCommentsAndTags(node).map((doc) => String(doc.comment ?? ''));
		const [sentence = ''] = docs
			.join(' ')
			.replace(/\s+/g, ' ')
			.split(/(?<=[.:])\s/);
		return namesIn(node).map((name): [string, string] => [name, sentence]);
	});
}

const files = filesBelow('nodes/shared', /\.ts$/);
const concepts = files.flatMap(exportsOf);

/** Overloads share the docstring of the first one. */
const sentences = new Map(concepts.filter(([, sentence]) => sentence !== ''));

test('no two names in nodes/shared have the same definition', () => {
	const all = [...sentences.values()];
	expect(all.filter((sentence, i) => all.indexOf(sentence) !== i)).toEqual([]);
});

test('no two modules of nodes/shared export the same name', () => {
	const names = files.flatMap((path) => [...new Set(exportsOf(path).map(([name]) => name))]);
	expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test.each(['SurveyA', 'SurveyB'])(
	'no module of nodes/%s exports a name of nodes/shared',
	(folder) => {
		const own = filesBelow(`nodes/${folder}`, /\.ts$/).flatMap(exportsOf);
		const taken = new Set(concepts.map(([name]) => name));
		expect(own.length).toBeGreaterThan(30);
		expect(own.map(([name]) => name).filter((name) => taken.has(name))).toEqual([]);
	},
);
