import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { ROOT } from '../processes.mts';

/** One of the two packages. */
export interface Part {
	name: string;
	/** The letter of its service, and of the other one. */
	service: 'A' | 'B';
	other: 'A' | 'B';
}

const manifestSchema = z
	.object({
		keywords: z.array(z.string()),
		scripts: z.record(z.string()),
		n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }).passthrough(),
		devDependencies: z.record(z.string()),
	})
	.passthrough();

const SCRIPTS = ['build', 'dev', 'lint', 'lint:fix', 'typecheck', 'prepublishOnly'];

/** Packages that scripts and configuration name, and no module imports. */
const TOOLS =
	/^(@n8n\/(node-cli|scan-community-package)|@swc\/.+|@types\/(express|jest|node)|jest.*|eslint|prettier|reflect-metadata|release-it|tsx|typescript)$/;

/**
 * Returns the package.json of a package.
 *
 * @param imported the files that its modules import, some of them in node_modules
 */
export function manifestOf({ name, service, other }: Part, imported: string[]): string {
	const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
	const { keywords, scripts, n8n, devDependencies, ...more } = manifestSchema.parse(
		JSON.parse(text),
	);
	const isNeeded = (dependency: string) =>
		TOOLS.test(dependency) ||
		imported.some((file) => file.startsWith(`node_modules/${dependency}/`));
	const own = (files: string[]) => files.filter((file) => !file.includes(`/Survey${other}`));
	return `${JSON.stringify(
		{
			...{ ...more, name },
			description: `n8n nodes for Survey ${service}: send surveys from any event, and act on the answers.`,
			keywords,
			scripts: {
				...pick(scripts, (script) => SCRIPTS.includes(script)),
				...{ test: 'jest', release: 'n8n-node release' },
			},
			n8n: { ...n8n, nodes: own(n8n.nodes), credentials: own(n8n.credentials) },
			devDependencies: pick(devDependencies, isNeeded),
		},
		null,
		'\t',
	)}\n`;
}

function pick(values: Record<string, string>, isWanted: (key: string) => boolean) {
	return Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)));
}
