import { expectFile } from '../support/files.mts';
import { publicInterface } from '../support/publicInterface';

// Saved workflows store these names, and no value that is the default. From 1.0.0 on, none of them may change or be removed.

test('the public names and their defaults are those in publicNames.txt', () => {
	expectFile('test/unit/publicNames.txt', publicInterface());
});
