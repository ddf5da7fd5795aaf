// `npm run mutants`: Stryker puts small faults into the code, one at a time, and prints those that no test notices.
//
//     npm run mutants -- --sample 400 --seed 7      a random sample
//     npm run mutants -- --module nodes/SurveyB     one module, or several: nodes/SurveyA/*.ts,nodes/SurveyB
//     npm run mutants -- --concurrency 4            processes; default: 2
//     npm run mutants -- --promises                 the fault of each promise; with --sample and --seed some of them
import { parseArgs } from 'node:util';

import { run, runMain } from '../processes.mts';
import { tryPromises } from './promises.mts';

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			sample: { type: 'string', default: '' },
			seed: { type: 'string', default: '1' },
			module: { type: 'string', default: 'nodes' },
			concurrency: { type: 'string', default: '2' },
			promises: { type: 'boolean', default: false },
		},
	});
	const { sample, seed, module, concurrency } = values;
	if (values.promises) return await tryPromises(Number(sample), Number(seed));
	const modules = module.split(',').map((one) => (one.endsWith('.ts') ? one : `${one}/**/*.ts`));
	const mutate = [...modules, '!nodes/**/*.node.ts', '!nodes/Survey*/**/fields.ts'];
	const config = 'scripts/mutants/stryker.config.json';
	const args = ['run', config, '--mutate', mutate.join(), '--concurrency', concurrency];
	// A tenth of the random cases, and no tests of thousands of rows, find nearly as many mutants as all of them.
	const less = { SURVEYS_RUNS: '0.1', SURVEYS_SUITE: 'fast', SIMULATE_RUNS: '20' };
	const zone = { TZ: 'America/New_York' };
	const env = { SURVEYS_MUTANTS: sample, SURVEYS_MUTANTS_SEED: seed, ...less, ...zone };
	return await run('stryker', args, { env });
}

await runMain(main);
