import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INode,
	INodeParameters,
	OnError,
} from 'n8n-workflow';

import { startServiceA } from '../../../sandbox';
import type { ServiceA } from '../../../sandbox';
import { additionalData, nodeTypes, runNode } from '../../support/engine';
import type { NodeResult } from '../../support/engine';

/** What the tests of Survey A stand on: the service in its first state, and runs of the node. */
export class Bench {
	/** Another key than the service's, where a test sets one. */
	apiKey?: string;

	constructor(readonly service: ServiceA) {}

	/** Runs an operation, `resource.operation`. */
	async run(
		name: string,
		parameters: INodeParameters = {},
		more: { input?: IDataObject[]; onError?: OnError } = {},
	): Promise<NodeResult & { items: IDataObject[] }> {
		const [resource = '', operation = ''] = name.split('.');
		const result = await runNode({
			node: 'surveyA',
			parameters: { resource, operation, ...parameters },
			credential: this.credential,
			...more,
		});
		return { ...result, items: (result.output[0] ?? []).map(({ json }) => json) };
	}

	/** The JSON of the items that an operation gives for one row; its failure fails the test. */
	async all(name: string, parameters: INodeParameters = {}): Promise<IDataObject[]> {
		const { items, error } = await this.run(name, parameters);
		expect(error).toBeUndefined();
		return items;
	}

	/** The JSON of the only item that an operation gives for one row. */
	async one(name: string, parameters: INodeParameters = {}): Promise<IDataObject> {
		const items = await this.all(name, parameters);
		expect(items).toHaveLength(1);
		return items[0] ?? {};
	}

	/** The requests that arrived, to the letter, each with the headers that the contract demands. */
	sent(): Array<{ line: string; body?: unknown }> {
		return this.service.requests.map(({ method, url, body, rawBody, headers }) => {
			expect(headers.authorization).toBe(`api_key=${this.service.apiKey}`);
			expect(headers['content-type']).toMatch(/^application\/json/);
			return rawBody === '' ? { line: `${method} ${url}` } : { line: `${method} ${url}`, body };
		});
	}

	/** The addresses of each request's customers. */
	batches(): string[][] {
		return this.service.requests.map(({ rawBody }) => {
			const { subscribers }: { subscribers: Array<{ email: string }> } = JSON.parse(rawBody);
			return subscribers.map(({ email }) => email);
		});
	}

	/** What a drop-down of the node sees. */
	get dropDown(): ILoadOptionsFunctions {
		const node: INode = {
			id: 'Tested',
			name: 'Tested',
			type: 'surveyA',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			credentials: { surveyAApi: { id: 'test', name: 'test' } },
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

	/** The ID of a seeded campaign. */
	campaign(name: string): string {
		return String(this.service.state.campaigns.find((one) => one.name === name)?.id);
	}

	private get credential() {
		return { baseUrl: `${this.service.url}/`, apiKey: this.apiKey ?? this.service.apiKey };
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
		bench = new Bench(await startServiceA({ seedFrom: new Date('2026-01-01T00:00:00Z') }));
	});
	beforeEach(() => {
		ready().service.reset();
		ready().apiKey = undefined;
	});
	afterAll(async () => await ready().service.close());
	return ready;
}

/** People by their numbers. */
export function people(count: number, from = 1): Array<{ email: string }> {
	return Array.from({ length: count }, (_, index) => ({
		email: `person${from + index}@example.com`,
	}));
}
