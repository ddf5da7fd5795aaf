import { schemaFiles } from '../../scripts/schemas.mts';
import { fileText } from '../support/files.mts';

test("the editor's previews are those that the operations' schemas give (npm run schemas)", () => {
	const files = schemaFiles();
	expect(files.size).toBeGreaterThan(40);
	for (const [path, text] of files) expect([path, fileText(path)]).toEqual([path, text]);
});
