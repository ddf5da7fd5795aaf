import { findChromium } from './chromium.mts';
import { credentialTests } from './credentials';
import { withEditor } from './editor';
import { exampleTests } from './examples';
import { readmeTests } from './readme';
import { rowTests } from './rows';
import { triggerTests } from './trigger';

// n8n's editor in a browser: one n8n and one browser for all of it. With PICTURES=folder the pictures are kept.

const executable = findChromium();
const inBrowser = executable ? describe : describe.skip;

inBrowser('in the editor', () => {
	withEditor(executable ?? '');

	describe("a CRM's rows", rowTests);
	describe('Survey B Trigger', triggerTests);
	describe('credentials', credentialTests);
	describe('the README', readmeTests);
	describe('examples', exampleTests);
});
