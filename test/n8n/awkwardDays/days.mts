import type { Play, Story } from './play.mts';

/** The days that every example is asked about. */
export const DAYS = [
	'an empty list',
	'one item',
	'many items',
	'quotes, newlines, emoji and HTML',
	'no email',
	'an address in other case',
	'two answers by one person in an hour',
	'two starts within two seconds',
	'a fault of the service',
	'a change of clocks',
	'an account that is refused for an hour',
	'an erased person',
	'a hand in the table',
	'a mass update',
	'a second import',
] as const;

export type Day = (typeof DAYS)[number];

export type Check = (play: Play) => Promise<void>;

/** An example with a check for each day that can break it, and for each other day the reason why it cannot. */
export interface AwkwardDays {
	story: Story;
	days: Record<Day, Check | string>;
}

/** Texts that break whatever builds JSON, HTML, CSV or Slack's markup by hand. */
export const AWKWARD_TEXT = `"It's" <b>bad</b> & \\ {{ 1 }}\n<!channel> =1+1, 😀 Zoë`;

export const MOMENTS_ONLY = 'It compares moments only';
export const BY_ID = 'It looks up nothing by an address';
export const ONE_DELIVERY = 'Each delivery is one item';
export const CREATED_ONCE = 'An answer in Survey A is created once';
export const NEW_ANSWERS_ONLY =
	'Its trigger brings new answers only, and an erased person who answers again has agreed';
export const NO_TABLE = 'It has no data table';

/** Returns `count` addresses. */
export const addresses = (count: number) =>
	Array.from({ length: count }, (_, i) => `p${i}@days.example`);

/** Returns the values that occur more than once. */
export function repeated(values: string[]): string[] {
	return values.filter((value, index) => values.indexOf(value) !== index);
}
