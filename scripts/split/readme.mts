import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { ROOT } from '../processes.mts';
import type { Part } from './part.mts';

/** Returns the README of a package: what concerns its service in the pages of this repository, and its examples. */
export function readmeOf({ name, service, other }: Part, examples: string[]): string {
	const readme = pageOf('README.md');
	const about = section(pageOf('docs/operations.md'), `## Survey ${service}`);
	const credentials = section(readme, '## Credentials').replace(
		/\n\|API Key\|[^\n]*/,
		'\n|API Key|The API key of your account or organization|',
	);
	return [
		`# ${name}`,
		`[n8n](https://n8n.io) nodes for **Survey ${service}**: an action node with every operation, and a trigger.`,
		'## Install',
		`In n8n: **Settings → Community nodes → Install a community node**, with the npm package name \`${name}\`.`,
		credentials.replace('**Survey A API** or **Survey B API**', `**Survey ${service} API**`),
		about,
		'## Trigger',
		triggerOf(readme, service, other),
		'## Examples',
		examples.map((file) => `- [${nameOf(file)}](examples/${basename(file)})`).join('\n'),
		'## Development',
		'`npm ci --ignore-scripts`, then `npm run build`, `npm test` and `npm run lint`.',
		'[MIT](LICENSE.md). [Changelog](CHANGELOG.md).\n',
	].join('\n\n');
}

function pageOf(path: string): string {
	return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns a section with its heading. */
function section(page: string, heading: string): string {
	const [, after] = page.split(`${heading}\n`);
	if (after === undefined) throw new Error(`There is no ${heading}`);
	return `${heading}\n${after.split(/^## /m)[0]}`.trim();
}

/** Returns what the README says about the trigger of a service, without links to pages that stay in this repository. */
function triggerOf(readme: string, service: string, other: string): string {
	const text = section(readme, '## Triggers');
	const start = text.indexOf(`**Survey ${service} Trigger**`);
	const end = text.indexOf(`**Survey ${other} Trigger**`);
	const own = text.slice(start, end > start ? end : undefined).trim();
	return own
		.replace(/ ?\(\[example\]\([^)]*\)\)/g, '')
		.replace(/\[([^\]]*)\]\((?!http)[^)]*\)/g, '$1');
}

function nameOf(example: string): string {
	return String(JSON.parse(pageOf(example)).name);
}
