import type { Locator } from 'playwright-core';

import { credentialOf, host, sandbox } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { page } from './editor';

const GOOD = 'Connection tested successfully';
const BAD = /Couldn.t connect with these settings/;

/** Opens a credential, which tests the stored values, and saves it with typed ones. */
async function saveWith(
	stored: Record<string, unknown>,
	shown: string | RegExp,
	typed: Record<string, string>,
): Promise<Locator> {
	const { id } = await host.n8n.createCredential('surveyAApi', 'Tested', stored);
	await page.goto(`${host.n8n.url}/home/credentials/${id}`, { waitUntil: 'domcontentloaded' });
	const window = page.getByTestId('editCredential-modal');
	await window.getByText(shown).waitFor();
	for (const [name, text] of Object.entries(typed)) {
		await window.getByTestId(`parameter-input-${name}`).locator('input').fill(text);
	}
	await window.getByTestId('credential-save-button').click();
	return window;
}

/** The messages of the credential test. */
export function credentialTests(): void {
	test('the test of a credential explains a wrong key', async () => {
		const window = await saveWith(credentialOf(sandbox.a), GOOD, { apiKey: 'example-wrong' });
		await window.getByText('More details').click();
		await window.getByText(/\(HTTP 401\)\. Check the API key/).waitFor();
		await keepPicture(page, 'credential-wrong-key');
	});

	test('the test of a credential accepts a base URL with the path of the API', async () => {
		const stored = { ...credentialOf(sandbox.a), baseUrl: 'survey.example.com' };
		const window = await saveWith(stored, BAD, { baseUrl: `${sandbox.a.url}/api/v2` });
		await window.getByText(GOOD).waitFor();
	});
}
