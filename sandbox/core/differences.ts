import type { SettingsA } from '../a/settings';
import type { SettingsB } from '../b/settings';

/** The ways in which the services of this process differ from the defaults, also after a reset. */
export const differences: { a: Partial<SettingsA>; b: Partial<SettingsB> } = { a: {}, b: {} };
