import type { Locator } from 'playwright-core';

import { choices } from './editor';

/** How much a person does with mouse and keyboard. */
export interface Effort {
	clicks: number;
	keys: number;
	drags: number;
}

/** A person at the mouse and keyboard, whose clicks, keys and drags are counted. */
export class Person {
	readonly effort: Effort = { clicks: 0, keys: 0, drags: 0 };

	async clicks(target: Locator): Promise<void> {
		this.effort.clicks++;
		await target.click();
	}

	/** Chooses from a drop-down. */
	async chooses(dropDown: Locator, label: string): Promise<void> {
		await this.clicks(dropDown);
		await this.clicks(choices().filter({ hasText: label }).first());
	}

	/** Drags a column to a field. Until the field shows the expression, n8n takes a click for the end of the drag. */
	async drags(from: Locator, to: Locator): Promise<void> {
		this.effort.drags++;
		await from.dragTo(to);
		await to.filter({ hasText: '$json' }).waitFor();
	}
}
