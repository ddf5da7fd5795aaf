// Contract tests once more, with responses of the sandbox that the contract allows and that are harder to handle.
const { filesHarder, nameOf } = require('./suites.cjs');

require('../../test/support/harderSandbox');

for (const file of filesHarder()) describe(nameOf(file), () => void require(file));
