import { isObject } from '../../nodes/shared/http/json';

/** An item of Survey A Trigger by its event and the row's ID: `feedback.created <id>`. */
export function nameOf(json: unknown): string {
	const { event, data, ...simplified } = isObject(json) ? json : {};
	return `${String(event)} ${String(isObject(data) ? data.id : simplified.id)}`;
}
