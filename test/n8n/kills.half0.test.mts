/** @jest-environment ./test/support/n8nEnvironment.mts */
import { effectsLeftOut } from './awkwardDays/effects.mts';
import { testKills } from './awkwardDays/testKills.mts';

// Kills n8n at each moment of what the examples do outside, and lets a person click Retry: nobody is surveyed, alerted or
// written to twice, and nobody is forgotten without a word.

test('n8n is killed at each node of an example that acts outside of n8n', () => {
	expect(effectsLeftOut()).toEqual([]);
});

testKills(0);
