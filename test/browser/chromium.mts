import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, selectors, type Browser, type Page } from 'playwright-core';

import { OWNER } from '../../host/index.mts';

const PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Where a Chromium is on this machine. On Debian, as root, a missing one is installed.
 *
 * @returns undefined where there is none and none can be installed
 */
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

/** Starts a browser that asks nothing of the network beyond this machine. */
export async function startBrowser(executablePath: string): Promise<Browser> {
	// As n8n's editor names its parts.
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

/** A page of the editor, signed in as the owner. */
export async function signIn(browser: Browser, url: string): Promise<Page> {
	const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
	page.setDefaultTimeout(30_000);
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email], input[name=emailOrLdapLoginId]').first().fill(OWNER.email);
	await page.locator('input[type=password]').first().fill(OWNER.password);
	await page.getByRole('button', { name: /sign in/i }).click();
	await page.waitForURL((at) => !at.pathname.includes('signin'));
	return page;
}

/** The editor's own buttons, which would cover a workflow's nodes in a picture. */
const WITHOUT_BUTTONS = `
	[data-test-id=canvas-controls], [class*=executionButtons], [data-test-id=node-creator-plus-button],
	[data-test-id=command-bar-button], [data-test-id=add-sticky-button], [data-test-id=toggle-focus-panel-button] {
		opacity: 0 !important;
	}
`;

/** What a picture of a workflow shows: the canvas, without what surrounds it. */
export const CANVAS = { x: 45, y: 90, width: 1555, height: 870 };

/**
 * Keeps a picture of the page where PICTURES names a folder.
 *
 * @param clip the part of the page to show; all of it where nothing is said
 */
export async function keepPicture(page: Page, name: string, clip?: typeof CANVAS): Promise<void> {
	const folder = process.env.PICTURES;
	if (!folder) return;
	mkdirSync(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`), clip, style: WITHOUT_BUTTONS });
}
