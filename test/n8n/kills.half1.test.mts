/** @jest-environment ./test/support/n8nEnvironment.mts */
import { testKills } from './awkwardDays/testKills.mts';

// The other half of kills.half0.test.mts.

testKills(1);
