import type { Locator, Response } from 'playwright-core';

import { choices, executeButton, page, untilVisible } from './editor';

/** How much a person does with mouse and keyboard. */
interface Effort {
	clicks: number;
	keys: number;
}

/** A person at the mouse and keyboard, whose clicks and keys are counted. */
export class Person {
	readonly effort: Effort = { clicks: 0, keys: 0 };

	async clicks(target: Locator): Promise<void> {
		this.effort.clicks++;
		await target.click();
	}

	/** Opens something by one click, which is repeated if n8n's editor loses it while it loads. */
	async opens(target: Locator, shown: Locator): Promise<void> {
		this.effort.clicks++;
		await untilVisible(shown, async () => await target.click());
	}

	/** Clicks into a field and types. */
	async types(target: Locator, text: string): Promise<void> {
		await this.clicks(target);
		this.effort.keys += text.length;
		await page.keyboard.insertText(text);
	}

	/** Chooses from a drop-down. */
	async chooses(dropDown: Locator, label: string): Promise<void> {
		await this.clicks(dropDown);
		await this.clicks(choices().filter({ hasText: label }).first());
	}

	/** Runs the opened node by one click, and waits until n8n has taken the run. A second click could run it again. */
	async executes(): Promise<void> {
		const isRun = (response: Response) => /\/workflows\/\w+\/run\b/.test(response.url());
		await Promise.all([page.waitForResponse(isRun), this.clicks(executeButton())]);
	}
}
