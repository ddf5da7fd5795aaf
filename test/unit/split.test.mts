import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MOVE } from '../../scripts/split/move.mts';

// The steps from the joint package to the two split ones.

test('the move to two packages gives each node the type of its new package, and leaves other nodes alone', () => {
	const [, command = ''] = MOVE.match(/^ +(sed .*)$/m) ?? [];
	const folder = mkdtempSync(join(tmpdir(), 'surveys-move-'));
	const file = join(folder, 'workflows/1.json');
	const types = (...names: string[]) =>
		JSON.stringify(
			names.map((type) => ({ type })),
			null,
			2,
		);
	mkdirSync(join(folder, 'workflows'));
	writeFileSync(
		file,
		types(
			...['n8n-nodes-surveys.surveyATrigger', 'n8n-nodes-surveys.surveyA'],
			...['n8n-nodes-surveys.surveyBTool', 'n8n-nodes-base.noOp'],
		),
	);
	const { status, stderr } = spawnSync('sh', ['-ec', command], { cwd: folder, encoding: 'utf8' });
	expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
	expect(readFileSync(file, 'utf8')).toBe(
		types(
			...['n8n-nodes-survey-a.surveyATrigger', 'n8n-nodes-survey-a.surveyA'],
			...['n8n-nodes-survey-b.surveyBTool', 'n8n-nodes-base.noOp'],
		),
	);
	rmSync(folder, { recursive: true });
});
