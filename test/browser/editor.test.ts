/** @jest-environment ./test/support/n8nEnvironment.mts */
import { sayPastJest } from '../support/sayPastJest.mts';
import { findChromium } from './chromium.mts';
import { columnTests } from './columns';
import { withEditor } from './editor';
import { jobTests } from './jobs';
import { nodePanelTests, toolTests } from './nodePanel';
import { readmeTests } from './readme';
import { rowTests } from './rows';
import { triggerTests } from './trigger';

// All browser tests share one n8n and one browser. PICTURES=folder saves pictures of some steps.

const { executable, missing } = findChromium(sayPastJest);
if (missing) sayPastJest(`n8n's editor is not tested here: ${missing}.`);
const inBrowser = executable ? describe : describe.skip;

// A minute is not enough for two actions that each take as long as the browser may wait.
jest.setTimeout(180_000);

inBrowser('in the editor', () => {
	withEditor(executable ?? '');

	describe('the node panel', nodePanelTests);
	describe("a CRM's rows", rowTests);
	describe('mapped columns', columnTests);
	describe('tools of an AI agent', toolTests);
	describe('Survey B Trigger', triggerTests);
	describe('the README', readmeTests);
	describe('jobs by hand', jobTests);
});
