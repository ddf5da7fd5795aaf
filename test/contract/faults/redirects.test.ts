import type { INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// No redirect is followed: the key goes to the Base URL only, and no write is repeated.

const sandbox = useSandbox();

const REQUESTS: Array<[path: string, operation: string, parameters?: INodeParameters]> = [
	['/api/lists/', 'contactList.getAll'],
	[
		'/api/v2/survey/',
		'survey.send',
		{ campaignId: '101', ...mapped({ email: 'ada@acme.example' }) },
	],
	['/api/contacts/remove/', 'contact.delete', { email: 'ada@acme.example' }],
];

describe.each(REQUESTS)('%s', (path, operation, parameters) => {
	test.each([301, 302, 303, 307, 308])(
		'a redirect is not followed, so no other host gets the API key: HTTP %i [no-redirect]',
		async (status) => {
			for (const base of [sandbox.a.url, `${sandbox.b.url}/proxy`]) {
				sandbox.b.reset();
				const headers = { location: `${base}${path}?secret=1` };
				sandbox.b.faults.add({ kind: { status, headers }, times: Infinity });
				const { error } = await runOperation(sandbox.b, operation, parameters);
				expect(sandbox.a.requests).toEqual([]);
				expect(sandbox.b.requests).toHaveLength(1);
				expect(sandbox.b.state.sent).toEqual([]);
				expect(error?.message).toContain(`Survey B redirects to ${base} (HTTP ${status})`);
				expect(error?.description).toContain(`enter ${base} as the Base URL of the credential`);
			}
		},
	);
});
