// Contract tests once more, with responses of the sandbox that the contract allows and that are harder to handle.
const { filesUnkind, nameOf } = require('./suites.cjs');

require('../../test/support/unkind');

for (const file of filesUnkind()) describe(nameOf(file), () => void require(file));
