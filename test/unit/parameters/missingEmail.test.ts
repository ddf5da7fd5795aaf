import type { IDataObject } from 'n8n-workflow';

import { missing } from '../../../nodes/shared/mapping/email';

// The failure of a row without an email says where the row has addresses.

test('a row that is nested 20,000 levels deep gets the failure of a missing email', () => {
	let row: IDataObject = { email: 'deep@example.com' };
	for (let level = 0; level < 20_000; level++) row = { inside: row };
	expect(missing('is empty', row, 'Email Column').message).toBe('is empty');
});

test('the failure names five addresses at most: those nearest to the top of the row', () => {
	const contacts = Array.from({ length: 100_000 }, (_, i) => ({ address: `p${i}@example.com` }));
	const { hint } = missing('is empty', { contacts, billing: 'b@example.com' }, 'Email Column');
	expect(hint).toContain('Other addresses are in billing, {{ $json.contacts[0].address }}');
	expect(hint?.match(/address }}/g)).toHaveLength(4);
});
