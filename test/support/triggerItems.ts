import { isObject } from '../../nodes/shared/http/json';

/** An item of Survey A Trigger by its event and the row's ID: `feedback.created <id>`. */
export function nameOf(json: unknown): string {
	const { event, data } = isObject(json) ? json : {};
	return `${String(event)} ${isObject(data) ? String(data.id) : ''}`;
}
