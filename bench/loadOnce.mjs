// Loads every node and credential of a package, as n8n does when it starts, and prints the milliseconds.
// n8n-workflow is loaded before and does not count. Arguments: the package's folder, and the folder where n8n is installed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const [folder = '', host = ''] = process.argv.slice(2);
createRequire(join(host, 'package.json'))('n8n-workflow');
const require = createRequire(join(folder, 'package.json'));
const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

const start = performance.now();
for (const file of [...n8n.nodes, ...(n8n.credentials ?? [])]) {
	const [name] = basename(file).split('.');
	new (require(join(folder, file))[name])();
}
console.log(performance.now() - start);
