import { rmSync } from 'node:fs';

import { z } from 'zod';

import { chain } from '../../host/index.mts';
import { freshN8n, type FreshN8n } from '../support/freshN8n.mts';

// n8n 3 does not load packages that n8n has not verified, unless N8N_UNVERIFIED_PACKAGES_ENABLED is true. n8n 2 has the
// variable already, with the default true.

const UNKNOWN_NODE = 'Unrecognized node type: n8n-nodes-surveys.surveyB';
const WORKFLOW = {
	name: 'Uses the package',
	nodes: [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{ name: 'Survey B', type: 'n8n-nodes-surveys.surveyB' },
	],
	connections: chain('Start', 'Survey B'),
};

/** An n8n of its own, because these settings act when n8n starts. */
let own: FreshN8n | undefined;

afterEach(async () => {
	await own?.n8n.stop();
	if (own) rmSync(own.userFolder, { recursive: true, force: true });
}, 60_000);

test('an installed package loads although N8N_UNVERIFIED_PACKAGES_ENABLED is false, and installing one is refused', async () => {
	own = await freshN8n({ N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' });
	const { n8n } = own;
	expect(await n8n.nodeType('n8n-nodes-surveys.surveyB')).toMatchObject({ name: 'surveyB' });
	expect(settingsSchema.parse(await n8n.get('/settings'))).toEqual({
		unverifiedCommunityNodesEnabled: false,
	});
	const install = n8n.post('/community-packages', { name: 'n8n-nodes-surveys' });
	await expect(install).rejects.toThrow('forbidden!');
}, 180_000);

test('a workflow whose package is not loaded fails with the name of the node', async () => {
	// The behavior of n8n 3 without the variable.
	own = await freshN8n({ N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'true' });
	const { n8n } = own;
	const id = await n8n.createWorkflow(WORKFLOW);
	await expect(n8n.run(id)).rejects.toThrow(UNKNOWN_NODE);
}, 180_000);

const settingsSchema = z.object({ unverifiedCommunityNodesEnabled: z.boolean() });
