import fc from 'fast-check';

import { path } from '../../../nodes/shared/http/request';
import { runs } from '../../support/random.mts';

test('an ID such as ../ never leads a request to another path [path]', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (id) => {
			if (id === '.' || id === '..') return;
			const url = new URL(`http://service.example${path`/api/v2/feedback/${id}/tag/`}`);
			const [, api, version, resource, segment, tag, end, ...more] = url.pathname.split('/');
			expect([api, version, resource, tag, end, more]).toEqual([
				'api',
				'v2',
				'feedback',
				'tag',
				'',
				[],
			]);
			expect(decodeURIComponent(segment ?? '')).toBe(id);
			expect(url.search + url.hash).toBe('');
		}),
		runs(2000),
	);
});

test.each(['', '.', '..', 'a\uD800', '\uDC00b'])(
	'the ID %j is rejected with an explanation',
	(id) => {
		expect(() => path`/feedback/${id}/`).toThrow(
			expect.objectContaining({
				hint: expect.stringContaining('Use an ID as the service shows it'),
			}),
		);
	},
);

test.each([
	['a/b', '/feedback/a%2Fb/'],
	['%2f', '/feedback/%252f/'],
	['../../x', '/feedback/..%2F..%2Fx/'],
	['a?b#c', '/feedback/a%3Fb%23c/'],
	['a\r\nX: y', '/feedback/a%0D%0AX%3A%20y/'],
])('the ID %j is sent as %s', (id, expected) => {
	expect(path`/feedback/${id}/`).toBe(expected);
});
