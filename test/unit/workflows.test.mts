import { readdirSync, readFileSync } from 'node:fs';

import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = '.github/workflows';

const workflowSchema = z.object({
	jobs: z.record(
		z.string(),
		z.object({
			// A job that calls another workflow has no steps.
			steps: z
				.array(z.object({ run: z.string().optional(), shell: z.string().optional() }))
				.default([]),
		}),
	),
});

test.each(readdirSync(FOLDER))(
	'each step of %s with a pipe has `shell: bash`, by which it fails if a command before the pipe fails',
	(file) => {
		const { jobs } = workflowSchema.parse(parse(readFileSync(`${FOLDER}/${file}`, 'utf8')));
		const steps = Object.values(jobs).flatMap((job) => job.steps);
		const piped = steps.filter(({ run = '' }) => / \| /.test(run));
		expect(piped.filter(({ shell }) => shell !== 'bash')).toEqual([]);
	},
);
