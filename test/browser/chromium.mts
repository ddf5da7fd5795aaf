import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import {
	chromium,
	selectors,
	type Browser,
	type BrowserContextOptions,
	type Page,
} from 'playwright-core';

import { installPackages, waitForInstallation } from '../../host/apt.mts';
import { OWNER } from '../../host/index.mts';

const PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Finds Chromium. As root on Debian, installs it if it is missing. Returns its path, or the reason why it is missing. */
export function findChromium(say: (text: string) => void): {
	executable?: string;
	missing?: string;
} {
	waitForInstallation();
	const why = PLACES.some(existsSync) ? undefined : installPackages(['chromium'], say);
	const executable = PLACES.find(existsSync);
	return executable ? { executable } : { missing: why ?? 'Chromium was not found' };
}

/** Starts a browser that sends requests to this machine only. */
export async function startBrowser(executablePath: string): Promise<Browser> {
	// The attribute that n8n's editor uses.
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** Opens the editor, signed in as the owner. */
export async function signIn(
	browser: Browser,
	url: string,
	options: BrowserContextOptions = {},
): Promise<Page> {
	const page = await browser.newPage({ viewport: { width: 1600, height: 1000 }, ...options });
	page.setDefaultTimeout(60_000);
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email], input[name=emailOrLdapLoginId]').first().fill(OWNER.email);
	await page.locator('input[type=password]').first().fill(OWNER.password);
	await page.getByRole('button', { name: /sign in/i }).click();
	await page.waitForURL((at) => !at.pathname.includes('signin'));
	return page;
}

/** Saves a picture of the page, if the environment variable PICTURES names a folder. */
export async function keepPicture(page: Page, name: string): Promise<void> {
	const folder = process.env.PICTURES;
	if (!folder) return;
	mkdirSync(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`) });
}
