import { createRequire } from 'node:module';
import { join } from 'node:path';

import { ROOT } from '../processes.mts';

/** A version of n8n to try the package on. */
export interface Version {
	n8n: string;
	/** The folder that it is installed in. */
	installation: string;
	/** Packages that the registry no longer has as this n8n asks for them, and what stands in. */
	overrides: Record<string, string>;
}

const HOST = join(ROOT, 'host');

const OLDER = {
	xlsx: '0.18.5',
	linkedom: '0.18.13',
	'@langchain/langgraph': '1.0.2',
	'@langchain/langgraph-checkpoint': '1.0.0',
};

/** The oldest n8n in use, the first and the middle of n8n 2, and the one that the tests run in. */
export function versions(): Version[] {
	const { dependencies } = createRequire(join(HOST, 'package.json'))('./package.json') as {
		dependencies: { n8n: string };
	};
	return [
		beside('1.123.81', OLDER),
		beside('2.3.6', OLDER),
		beside('2.20.12', {
			...OLDER,
			'@langchain/langgraph': '1.2.0',
			'@opentelemetry/core': '2.9.0',
			'@opentelemetry/sdk-trace-base': '2.9.0',
		}),
		{ n8n: dependencies.n8n, installation: HOST, overrides: {} },
	];
}

function beside(n8n: string, overrides: Record<string, string>): Version {
	return { n8n, installation: join(ROOT, '.surveys/compat', n8n), overrides };
}
