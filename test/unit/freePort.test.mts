import { freePort } from '../../host/freePort.mts';
import { openReceiver } from '../support/receiver.mts';

test('a free port is below those of outgoing connections, and is the wanted one unless something listens there', async () => {
	expect(await freePort()).toBeLessThan(32_768);
	const server = await openReceiver();
	const wanted = Number(new URL(server.url).port);
	expect(await freePort(wanted)).toBeLessThan(32_768);
	await server.close();
	expect(await freePort(wanted)).toBe(wanted);
});
