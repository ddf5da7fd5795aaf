/** @jest-environment ./test/support/n8nEnvironment.mts */
import { host, rowsInto, sandbox, withHost } from '../support/n8n.mts';

withHost();

test.each(['surveyAApi', 'surveyBApi'] as const)(
	"n8n's HTTP Request node can use the credential %s for a request of its own",
	async (type) => {
		const { url, requests } = type === 'surveyAApi' ? sandbox.a : sandbox.b;
		const path = type === 'surveyAApi' ? '/api/v2/nps/outbox' : '/api/v2/replies/';
		const parameters = {
			url: `${url}${path}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
			options: {},
		};
		const { credentials } = host;
		const http = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters, credentials };
		const { error } = await host.n8n.run(
			await host.n8n.createWorkflow(rowsInto(http, [{ row: 1 }])),
		);
		expect(error).toBeUndefined();
		expect(requests.at(-1)).toMatchObject({ path, status: 200 });
	},
);
