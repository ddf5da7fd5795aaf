import { schemaFiles } from '../../scripts/schemas.mts';
import { fileText } from '../support/files.mts';

// The editor's previews are those that the operations' schemas give (npm run schemas).

const files = [...schemaFiles()];

test('every operation has a preview', () => expect(files.length).toBeGreaterThan(40));

test.each(files)('%s is up to date', (path, text) => expect(fileText(path)).toBe(text()));
