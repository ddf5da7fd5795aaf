/** @jest-environment ./test/support/n8nEnvironment.mts */
import { columnTests } from './columns';
import { describeInEditor } from './editor';
import { nodePanelTests, toolTests } from './nodePanel';
import { rowTests } from './rows';
import { triggerTests } from './trigger';

// PICTURES=folder saves pictures of some steps.

describeInEditor(() => {
	describe('the node panel', nodePanelTests);
	describe("a CRM's rows", rowTests);
	describe('mapped columns', columnTests);
	describe('tools of an AI agent', toolTests);
	describe('Survey B Trigger', triggerTests);
});
