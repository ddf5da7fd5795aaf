import { onItsOwnClock } from '../../support/clock.mts';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Refusals without a message get a message and a hint from their HTTP code.

const sandbox = useSandbox();

async function errorText(status: number, body?: unknown): Promise<string> {
	const { faults } = sandbox.b;
	faults.add({ times: Infinity, kind: { status, body } });
	const { error } = await onItsOwnClock(
		async () => await runOperation(sandbox.b, 'contactList.getAll'),
	);
	return `${error?.message.replace(' [item 0]', '')} | ${error?.description}`;
}

const WITHOUT_WORDS: Array<[number, string, string]> = [
	[400, 'Survey B rejected the request without giving a reason', 'Check the values of this row'],
	[401, 'The API key was not accepted', 'Check the API key of the credential'],
	[403, 'The API key does not have permission', 'Use the API key of an administrator'],
	[404, 'The resource was not found', 'Check the ID, and the Base URL of the credential'],
	[405, 'The service does not support this request', 'may not support this operation'],
	[406, 'The service did not return JSON', 'Check the Base URL of the credential'],
	// n8n repeats the message if there is no hint.
	[409, 'Survey B rejected the request without giving a reason', 'without giving a reason'],
	[410, 'The resource was removed', 'Remove the row'],
	[418, 'Survey B rejected the request without giving a reason', 'without giving a reason'],
	[500, 'The service failed internally', 'Try again later'],
	[502, 'The service is not reachable behind its gateway', 'Try again later'],
	[503, 'The service is down for maintenance', 'Try again later'],
	[504, 'The service did not respond to its gateway in time', 'Try again later'],
	[599, 'Survey B rejected the request without giving a reason', 'Try again later'],
];

test.each(WITHOUT_WORDS)(
	'HTTP %i without a body has a message and a hint of its own',
	async (status, words, advice) => {
		const [message, todo] = (await errorText(status)).split(' | ');
		expect(message).toBe(`${words} (HTTP ${status})`);
		expect(todo).toContain(advice);
	},
);
