import { expectFile } from '../support/files.mts';
import { publicInterface } from '../support/publicInterface';

// Saved workflows store these names. From 1.0.0 on, none of them may change or go.

test('the public names are those in publicNames.json (UPDATE_TABLES=1 writes it)', () => {
	expectFile('test/unit/publicNames.json', `${JSON.stringify(publicInterface(), null, '\t')}\n`);
});
