import type { Express } from 'express';

interface RunningServer {
	url: string;
	close(): Promise<void>;
}

type Server = ReturnType<Express['listen']>;

/** Clients remember for how long a service asked them to pause, by its address. So no free port is used twice. */
const usedPorts = new Set<number>();

/** Serves an application on loopback; port 0 for a free port. */
export async function listen(app: Express, port = 0): Promise<RunningServer> {
	const server = app.listen(port, '127.0.0.1');
	server.keepAliveTimeout = 60_000;
	await new Promise<void>((resolve, reject) => {
		server.once('listening', resolve);
		server.once('error', reject);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	if (port === 0 && usedPorts.has(address.port)) {
		await closeServer(server);
		return await listen(app);
	}
	usedPorts.add(address.port);
	return { url: `http://127.0.0.1:${address.port}`, close: async () => await closeServer(server) };
}

/** Stops listening and closes every connection. */
async function closeServer(server: Server): Promise<void> {
	await new Promise<void>((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
