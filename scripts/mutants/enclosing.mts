import ts from 'typescript';

/**
 * Returns the name of the innermost named function or method around an offset of a source text. It identifies
 * a mutant although a formatter moves lines.
 */
export function enclosingName(source: string, offset: number): string {
	const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest);
	let name = '';
	const visit = (node: ts.Node): void => {
		if (offset < node.getStart(file) || offset >= node.getEnd()) return;
		if (isNamed(node) && node.name && ts.isIdentifier(node.name)) name = node.name.text;
		ts.forEachChild(node, visit);
	};
	visit(file);
	return name;
}

function isNamed(node: ts.Node) {
	return (
		ts.isFunctionDeclaration(node) ||
		ts.isMethodDeclaration(node) ||
		ts.isGetAccessorDeclaration(node)
	);
}
