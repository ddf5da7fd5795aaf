// Contract tests once more, with responses of the sandbox that the contract allows and that are harder to handle.
const { runFile } = require('./half.cjs');
const { filesHarder } = require('./suites.cjs');

require('../../test/support/harderSandbox');

filesHarder().forEach(runFile);
