import { createServer } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export interface RawResponse {
	status?: number;
	headers: OutgoingHttpHeaders;
	/** Written one after the other, in separate turns of the event loop. */
	pieces: Buffer[];
}

export interface RawServer {
	url: string;
	answer: RawResponse;
	requests: Array<{ url?: string; headers: NodeJS.Dict<string | string[]> }>;
	close(): void;
}

/** Starts a server on loopback whose response a test sets as `answer`. */
export async function startRawServer(): Promise<RawServer> {
	const server = createServer((request, response) => {
		const { status = 200, headers, pieces } = raw.answer;
		raw.requests.push({ url: request.url, headers: request.headers });
		response.writeHead(status, headers);
		void (async () => {
			for (const piece of pieces) {
				await new Promise((resolve) => response.write(piece, resolve));
				await new Promise((resolve) => setImmediate(resolve));
			}
			response.end();
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	const raw: RawServer = {
		url: `http://127.0.0.1:${port}`,
		answer: { headers: {}, pieces: [] },
		requests: [],
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
	return raw;
}

export const gzipped = (bytes: Buffer) => gzipSync(bytes);
export const inBrotli = (bytes: Buffer) => brotliCompressSync(bytes);
