// `test/long/environments.test.mts` runs this file.

test('never gives way', () => {
	for (;;);
});
