import { packInto } from '../host/package.mts';
import { waitForLock } from './lock.mjs';
import { ROOT, run, say, scratchFolder } from './processes.mts';

/**
 * Builds and packs the nodes as they would be published. Commands that start at the same time build one after the
 * other, because they share `dist`.
 *
 * @returns the path of the file, which is deleted when this process ends
 */
export async function builtPackage(): Promise<string> {
	const release = await waitForLock(`${ROOT}/dist`, () => say('Waiting for another build …'));
	try {
		say('Building the nodes …');
		const code = await run('npm', ['run', '--silent', 'build']);
		if (code !== 0) throw new Error('The build failed.');
		return packInto(scratchFolder(), ROOT);
	} finally {
		await release();
	}
}
