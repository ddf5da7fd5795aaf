import { sleep } from 'n8n-workflow';

import { inParallel } from '../../../nodes/shared/parallel';

test('after an error no further piece is begun', async () => {
	const begun: number[] = [];
	const working = inParallel(100, 4, async (index) => {
		begun.push(index);
		await sleep(index === 2 ? 1 : 10);
		if (index === 2) throw new Error('No');
		return true;
	});
	await expect(working).rejects.toThrow('No');
	await sleep(50);
	expect(begun).toEqual([0, 1, 2, 3]);
});
