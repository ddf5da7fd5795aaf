import { isObject } from '../../nodes/shared/base/json';

/** Returns the event and the row's ID of an item of Survey A Trigger: `feedback.created <id>`. */
export function nameOf(json: unknown): string {
	const { event, data, ...simplified } = isObject(json) ? json : {};
	return `${String(event)} ${String(isObject(data) ? data.id : simplified.id)}`;
}
