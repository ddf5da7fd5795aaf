import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import {
	chromium,
	selectors,
	type Browser,
	type BrowserContextOptions,
	type Page,
} from 'playwright-core';

import { OWNER } from '../../host/index.mts';

const PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the path of a Chromium, or undefined without one. On Debian, root installs a missing one. */
export function findChromium(): string | undefined {
	const found =
		PLACES.find(existsSync) ?? (installChromium() ? PLACES.find(existsSync) : undefined);
	if (!found) console.warn('No Chromium here, and none could be installed: skipped');
	return found;
}

function installChromium(): boolean {
	if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
	try {
		const options = { stdio: 'ignore', timeout: 300_000 } as const;
		execFileSync('apt-get', ['update', '-qq'], options);
		execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], options);
		return true;
	} catch {
		return false;
	}
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
