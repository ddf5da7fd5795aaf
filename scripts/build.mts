import { packInto } from '../host/package.mts';
import { ROOT, run, say, scratchFolder } from './processes.mts';

/**
 * Builds the nodes and packs them as they would be published. Gives the path of the file, which goes when this
 * process ends.
 */
export async function builtPackage(): Promise<string> {
	say('Building the nodes …');
	if ((await run('npm', ['run', '--silent', 'build'])) !== 0) throw new Error('The build failed.');
	return packInto(scratchFolder(), ROOT);
}
