import { inParallel } from '../../../nodes/shared/parallel';
import { whatCanGoOn } from '../../support/hold.mts';

/** Work that ends when it is told to. */
function pieces() {
	const begun: number[] = [];
	const ends: Array<{ resolve(goesOn: boolean): void; reject(error: Error): void }> = [];
	const work = async (index: number) => {
		begun.push(index);
		return await new Promise<boolean>((resolve, reject) => (ends[index] = { resolve, reject }));
	};
	return { begun, ends, work };
}

test('as many pieces are begun as fit side by side, and the next one when one ends', async () => {
	const { begun, ends, work } = pieces();
	const working = inParallel(5, 3, work);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2]);
	ends[1]?.resolve(true);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2, 3]);
	ends[0]?.resolve(true);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2, 3, 4]);
	for (const index of [2, 3, 4]) ends[index]?.resolve(true);
	await working;
});

test('after a piece that says so no further one is begun, and those at work are waited for', async () => {
	const { begun, ends, work } = pieces();
	let isDone = false;
	const working = inParallel(100, 2, work).then(() => (isDone = true));
	await whatCanGoOn();
	ends[0]?.resolve(false);
	await whatCanGoOn();
	expect(isDone).toBe(false);
	ends[1]?.resolve(true);
	await working;
	expect(begun).toEqual([0, 1]);
});

test('after an error no further piece is begun', async () => {
	const { begun, ends, work } = pieces();
	const working = inParallel(100, 4, work);
	await whatCanGoOn();
	ends[2]?.reject(new Error('No'));
	await expect(working).rejects.toThrow('No');
	for (const index of [0, 1, 3]) ends[index]?.resolve(true);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2, 3]);
});

test.each([0, 1, 3])('%i pieces are done where there is room for more', async (count) => {
	const done: number[] = [];
	await inParallel(count, 10, async (index) => done.push(index) > 0);
	expect(done).toEqual(Array.from({ length: count }, (_, i) => i));
});
