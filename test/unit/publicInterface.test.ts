import { expectFile } from '../support/files.mts';
import { publicInterface } from '../support/publicInterface';

// Saved workflows store these names. From 1.0.0 on, none of them may change or be removed.

test('the public names are those in publicNames.txt', () => {
	expectFile('test/unit/publicNames.txt', publicInterface());
});
