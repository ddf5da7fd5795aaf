import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INode,
	INodeParameters,
	OnError,
} from 'n8n-workflow';

import { startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { additionalData, nodeTypes, runNode } from '../../support/engine';
import type { NodeResult } from '../../support/engine';

/** What the tests of Survey B stand on: the service in its first state, and runs of the node. */
export class Bench {
	constructor(readonly service: ServiceB) {}

	/** Runs an operation, `resource.operation`. */
	async run(
		name: string,
		parameters: INodeParameters = {},
		more: { input?: IDataObject[]; onError?: OnError } = {},
	): Promise<NodeResult & { items: IDataObject[] }> {
		const [resource = '', operation = ''] = name.split('.');
		const result = await runNode({
			node: 'surveyB',
			parameters: { resource, operation, ...parameters },
			credential: this.credential,
			...more,
		});
		return { ...result, items: (result.output[0] ?? []).map(({ json }) => json) };
	}

	/** The JSON of the only item that an operation gives for one row; its failure fails the test. */
	async one(name: string, parameters: INodeParameters = {}): Promise<IDataObject> {
		const { items, error } = await this.run(name, parameters);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		return items[0] ?? {};
	}

	/** What the run says when an operation fails for one row: the message, and what to do. */
	async failure(name: string, parameters: INodeParameters = {}): Promise<string> {
		const { error } = await this.run(name, parameters);
		return `${error?.message} | ${error?.description}`;
	}

	/** The requests that arrived, to the letter, each with the headers that the contract demands. */
	sent(): Array<{ line: string; body?: unknown }> {
		return this.service.requests.map(({ method, url, body, rawBody, headers }) => {
			expect(headers.authorization).toBe(`Token ${this.service.apiKey}`);
			expect(headers['content-type']).toMatch(/^application\/json/);
			return rawBody === '' ? { line: `${method} ${url}` } : { line: `${method} ${url}`, body };
		});
	}

	/** What a drop-down of the node sees. */
	get dropDown(): ILoadOptionsFunctions {
		const node: INode = {
			id: 'Tested',
			name: 'Tested',
			type: 'surveyB',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			credentials: { surveyBApi: { id: 'test', name: 'test' } },
		};
		const workflow = new Workflow({
			id: 'test',
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes,
		});
		return new LoadOptionsContext(workflow, node, additionalData(this.credential), '');
	}

	private get credential() {
		return { baseUrl: `${this.service.url}/`, apiKey: this.service.apiKey };
	}
}

/** Gives every test of a file the bench, on the service's small seed. */
export function useBench(): () => Bench {
	let bench: Bench | undefined;
	const ready = () => {
		if (bench === undefined) throw new Error('The service is not started yet');
		return bench;
	};
	beforeAll(async () => {
		bench = new Bench(await startServiceB({ seedFrom: new Date('2026-01-01T00:00:00Z') }));
	});
	beforeEach(() => ready().service.reset());
	afterAll(async () => await ready().service.close());
	return ready;
}
