// The second half of `npm run build`: joins the modules that tsc wrote into dist to one readable file that the nodes and
// credentials share, and writes the editor's previews. n8n loads one file in a fraction of the time, and the package is a
// quarter smaller.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { build, transform } from 'esbuild';
import type { Plugin } from 'esbuild';
import { format, resolveConfig } from 'prettier';

import { previews } from './previews.mts';
import { ROOT } from './processes.mts';

const DIST = join(ROOT, 'dist');
const NODES = join(DIST, 'nodes');
const SHARED = join(NODES, 'surveys.js');

const files = ['credentials', 'nodes'].flatMap((folder) =>
	readdirSync(join(DIST, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
		join(DIST, folder, path),
	),
);

/** The files that n8n loads, by the class that each must export. */
const loaded = new Map(
	files
		.filter((file) => /\.(node|credentials)\.js$/.test(file))
		.sort()
		.map((file) => [basename(file).replace(/\..+$/, ''), file]),
);

const sources = [...loaded.values()].map((file) => {
	const source = `./${relative(DIST, file).replace(/\.js$/, '')}`;
	return `export * from '${source}';`;
});

/**
 * Takes over the quarter of zod that the nodes use (80 kB), with short names inside. An older zod that npm puts beside the
 * package would have no `zod/v4`, and no node would load. It costs 8 ms when n8n starts. esbuild can leave parts out of a
 * namespace, but not out of the object `z`.
 */
const usedZod: Plugin = {
	name: 'used zod',
	setup({ onLoad }) {
		onLoad({ filter: /[\\/]nodes[\\/].*\.ts$/ }, ({ path }) => ({
			contents: readFileSync(path, 'utf8').replace('import { z } from', 'import * as z from'),
			loader: 'ts',
		}));
		onLoad({ filter: /[\\/]zod[\\/]v4[\\/].*\.js$/ }, async ({ path }) => {
			const short = { minifyIdentifiers: true, minifySyntax: true };
			return { contents: (await transform(readFileSync(path, 'utf8'), short)).code };
		});
	},
};

const license = readFileSync(join(ROOT, 'node_modules/zod/LICENSE'), 'utf8');

const { outputFiles } = await build({
	stdin: { contents: sources.join('\n'), resolveDir: ROOT, sourcefile: 'surveys.ts' },
	banner: { js: `'use strict';\n/*! Contains zod:\n${license}*/` },
	bundle: true,
	write: false,
	platform: 'neutral',
	target: 'es2022',
	format: 'cjs',
	charset: 'utf8',
	mainFields: ['module', 'main'],
	external: ['n8n-workflow', 'crypto'],
	plugins: [usedZod],
});

const style = await resolveConfig(join(ROOT, 'package.json'));
const text = requiredOnce(outputFiles.map((file) => file.text).join(''));
for (const file of files.filter((path) => path.endsWith('.js'))) rmSync(file);
const modules = text.split(/^(?=\/\/ (?:node_modules|nodes)\/)/m);
writeFileSync(SHARED, (await Promise.all(modules.map(formatted))).join(''));
for (const [name, file] of loaded) {
	const shared = relative(dirname(file), SHARED).replace(/\.js$/, '');
	writeFileSync(file, `exports.${name} = require('${shared}').${name};\n`);
}

for (const [path, preview] of previews()) {
	mkdirSync(dirname(join(NODES, path)), { recursive: true });
	writeFileSync(join(NODES, path), JSON.stringify({ ...preview, version: 1 }));
}

/** Formats one module of the file. Nobody reads zod here. */
async function formatted(code: string): Promise<string> {
	if (!code.startsWith('// node_modules/zod/'))
		return await format(code, { ...style, parser: 'babel' });
	return (await transform(code, { minifyWhitespace: true })).code;
}

/** Requires each package once instead of in each module. Every call costs 0.1 ms when n8n starts. */
function requiredOnce(code: string): string {
	const names = new Map<string, string>();
	const kept = code.replace(/^var (\w+) = require\("(.+)"\);\n/gm, (_line, name, path) => {
		const shared = `import_${path.replace(/\W/g, '_')}`;
		const isFirst = ![...names.values()].includes(shared);
		names.set(name, shared);
		return isFirst ? `var ${shared} = require("${path}");\n` : '';
	});
	return kept.replace(/\bimport_\w+/g, (name) => names.get(name) ?? name);
}
