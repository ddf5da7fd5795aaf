/** @jest-environment ./test/support/n8nEnvironment.mts */
import { describeInEditor } from './editor';
import { jobTests } from './jobs';
import { readmeTests } from './readme';

// In a file of their own, since they take longer than all other tests in the editor.

describeInEditor(() => {
	describe('the README', readmeTests);
	describe('jobs by hand', jobTests);
});
