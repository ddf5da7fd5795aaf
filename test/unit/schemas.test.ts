import { schemaFiles } from '../../scripts/schemas.mts';
import { fileText } from '../support/files.mts';

// The editor's previews match the operations' schemas (npm run schemas).

const files = [...schemaFiles()];

test('more than 40 operations and events have a preview', () =>
	expect(files.length).toBeGreaterThan(40));

test.each(files)('the preview %s is up to date', (path, text) =>
	expect(fileText(path)).toBe(text()),
);
