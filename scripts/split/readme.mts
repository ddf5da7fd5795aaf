import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../processes.mts';
import type { Part } from './manifest.mts';

/** Returns the README of a package: what concerns its service in the pages of this repository. */
export function readmeOf({ name, service, other }: Part): string {
	const credentials = section('README.md', '## Credentials').replace(
		/\n\|API Key\|[^\n]*/,
		'\n|API Key|The API key of your account or organization|',
	);
	return [
		`# ${name}`,
		`[n8n](https://n8n.io) nodes for **Survey ${service}**: an action node with every operation, and a trigger.`,
		'## Install',
		`In n8n: **Settings → Community nodes → Install a community node**, with the npm package name \`${name}\`.`,
		credentials.replace('**Survey A API** or **Survey B API**', `**Survey ${service} API**`),
		section('docs/operations.md', `## Survey ${service}`),
		'## Trigger',
		triggerOf(service, other),
		'## Examples',
		'Workflows to import: [examples](examples).',
		'## Development',
		'`npm ci --ignore-scripts`, then `npm run build`, `npm test` and `npm run lint`.',
		'[MIT](LICENSE.md). [Changelog](CHANGELOG.md).\n',
	].join('\n\n');
}

/** Returns a section of a page with its heading. */
function section(path: string, heading: string): string {
	const [, after] = readFileSync(join(ROOT, path), 'utf8').split(`${heading}\n`);
	if (after === undefined) throw new Error(`There is no ${heading} in ${path}`);
	return `${heading}\n${after.split(/^## /m)[0]}`.trim();
}

/** Returns what the README says about the trigger of a service, without links to pages that stay in this repository. */
function triggerOf(service: string, other: string): string {
	const name = `**Survey ${service} Trigger**`;
	const [, after = ''] = section('README.md', '## Triggers').split(name);
	const [own = ''] = after.split(`**Survey ${other} Trigger**`);
	return (name + own).trim().replace(/\[([^\]]*)\]\((?!http)[^)]*\)/g, '$1');
}
