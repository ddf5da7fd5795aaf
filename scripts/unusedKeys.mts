// Fails when an interface, type, or class in nodes/ declares a property that no code in nodes/ reads. `knip` does not see
// these. Properties are compared by name.
import { globSync, readFileSync } from 'node:fs';

import ts from 'typescript';

/** Properties that only n8n or tests read. */
const READ_ELSEWHERE = new Set(['from', 'nodeId', 'placeholder']);

const declared = new Map<string, string>();
const read = new Set(READ_ELSEWHERE);

for (const file of globSync('{nodes,credentials}/**/*.ts')) {
	const text = readFileSync(file, 'utf8');
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), file);
}

const unread = [...declared].filter(([name]) => !read.has(name));
for (const [name, file] of unread) console.log(`${file}: '${name}' is never read`);
process.exitCode = unread.length > 0 ? 1 : 0;

function visit(node: ts.Node, file: string): void {
	if (isDeclaration(node)) declared.set(node.name.getText(), file);
	if (ts.isPropertyAccessExpression(node)) read.add(node.name.text);
	if (ts.isBindingElement(node)) read.add((node.propertyName ?? node.name).getText());
	if (ts.isStringLiteral(node)) read.add(node.text);
	ts.forEachChild(node, (child) => visit(child, file));
}

/** Leaves out classes that implement an interface of n8n, which reads their properties. */
function isDeclaration(node: ts.Node): node is ts.TypeElement & { name: ts.PropertyName } {
	if (ts.isPropertySignature(node) || ts.isMethodSignature(node)) return true;
	const isMember = ts.isPropertyDeclaration(node) || ts.isMethodDeclaration(node);
	return isMember && ts.isClassDeclaration(node.parent) && !node.parent.heritageClauses;
}
