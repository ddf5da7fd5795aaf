import { freePort } from '../../host/freePort.mts';
import { openReceiver } from '../support/receiver.mts';

test('a free port is none that an outgoing connection may take, and the wanted one unless that is taken', async () => {
	const free = await freePort();
	expect(free).toBeLessThan(32_768);
	const server = await openReceiver(undefined, free);
	expect(await freePort(free)).not.toBe(free);
	await server.close();
});
