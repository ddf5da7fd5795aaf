// Runs n8n's reviewer, @n8n/scan-community-package, on this repository and on the packed package, without a network:
// `npx tsx scripts/scan.mts TARBALL`. The reviewer itself looks up both by the provenance of the published package.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

/** The reviewer's patterns for a published package. */
const PACKAGE_FILE_PATTERNS = ['**/*.js', 'package.json'];

async function main(tarball: string): Promise<number> {
	const unpacked = mkdtempSync(join(tmpdir(), 'surveys-scan-'));
	try {
		execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
		const results = [
			await scan('source', process.cwd(), SOURCE_FILE_PATTERNS),
			await scan('package', unpacked, PACKAGE_FILE_PATTERNS),
		];
		return results.every(Boolean) ? 0 : 1;
	} finally {
		rmSync(unpacked, { recursive: true });
	}
}

async function scan(name: string, folder: string, patterns: string[]): Promise<boolean> {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	const isClean = passed && message === undefined;
	console.log(`n8n's reviewer on the ${name}: ${isClean ? 'passed' : 'failed'}`);
	if (!isClean) console.log([message, details].filter(Boolean).join('\n'));
	return isClean;
}

process.exitCode = await main(process.argv[2] ?? '');
