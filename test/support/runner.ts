import { LoadOptionsContext } from 'n8n-core';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import type { ServiceA, ServiceB } from '../../sandbox';
import { additionalData, nodeOf, nodeTypes } from './engine';
import type { NodeRun } from './engine';
import { runOperation } from './runOperation';
import type { RunSettings } from './runOperation';
import { useStarted } from './sandbox';

/** A service with its seed, started for the tests of a file and reset before each test, and a runner for its node. */
export class NodeRunner<Service extends ServiceA | ServiceB> {
	/** Replaces the service's own key. */
	apiKey?: string;
	/** The pace of drop-downs and columns. */
	requestsPerMinute = 0;
	private readonly started: () => Service;

	/**
	 * @param node the node under test
	 * @param scheme the prefix of the key in the Authorization header
	 */
	constructor(
		start: () => Promise<Service>,
		private readonly node: NodeRun['node'],
		private readonly scheme: string,
	) {
		this.started = useStarted(
			start,
			(service) => {
				service.reset();
				this.apiKey = undefined;
				this.requestsPerMinute = 0;
			},
			async (service) => await service.close(),
		);
	}

	get service(): Service {
		return this.started();
	}

	/** Runs an operation, given as `resource.operation`. */
	async run(name: string, parameters?: INodeParameters, settings?: RunSettings) {
		const { apiKey = this.service.apiKey } = this;
		return await runOperation(this.service, name, parameters, { apiKey, ...settings });
	}

	/** Runs an operation for rows with On Error = Continue. */
	async rows(name: string, parameters: INodeParameters, input: IDataObject[]) {
		return await this.run(name, parameters, { input, onError: 'continueRegularOutput' });
	}

	/** Replaces the response to the next request. */
	respond(status: number, body: unknown): void {
		this.service.faults.add({ kind: { status, body } });
	}

	/** Returns the JSON of the items of an operation for one row. An error fails the test. */
	async all(name: string, parameters: INodeParameters = {}): Promise<IDataObject[]> {
		const { items, error } = await this.run(name, parameters);
		expect(error).toBeUndefined();
		return items;
	}

	/** Returns the JSON of the only item of an operation for one row. */
	async one(name: string, parameters: INodeParameters = {}): Promise<IDataObject> {
		const items = await this.all(name, parameters);
		expect(items).toHaveLength(1);
		return items[0] ?? {};
	}

	/** Returns the message and the hint of an operation that fails for one row. */
	async failure(name: string, parameters: INodeParameters = {}): Promise<string> {
		const { error } = await this.run(name, parameters);
		return `${error?.message} | ${error?.description}`;
	}

	/** Returns the requests that arrived, and checks the headers that the contract demands. */
	sent(): Array<{ line: string; body?: unknown }> {
		return this.service.requests.map(({ method, url, body, rawBody, headers }) => {
			expect(headers.authorization).toBe(this.scheme + this.service.apiKey);
			expect(headers['content-type']).toMatch(/^application\/json/);
			expect(headers.accept).toBe('application/json');
			return rawBody === '' ? { line: `${method} ${url}` } : { line: `${method} ${url}`, body };
		});
	}

	/** Checks the only request that arrived. */
	expectSent(line: unknown, body?: unknown): void {
		expect(this.sent()).toEqual([body === undefined ? { line } : { line, body }]);
	}

	/** Returns the first lines of the requests that arrived. */
	lines(): string[] {
		return this.sent().map(({ line }) => line);
	}

	/** Returns the bodies of the requests that have one. */
	bodies(): IDataObject[] {
		return this.service.requests.flatMap(({ rawBody }) => (rawBody ? [JSON.parse(rawBody)] : []));
	}

	/** Returns the context in which n8n loads the columns of an operation. */
	columnsOf(operation: string): ILoadOptionsFunctions {
		const value = (name: string) => (name === 'operation' ? operation : undefined);
		return Object.create(this.dropDown, { getCurrentNodeParameter: { value } });
	}

	/**
	 * Returns the context in which n8n loads the columns of a node that is open in the editor: its parameters have the values of
	 * the item that the editor shows, and what is undefined does not pass to n8n.
	 */
	opened(parameters: INodeParameters, json: IDataObject): ILoadOptionsFunctions {
		const { description } = nodeTypes.getByNameAndVersion(this.node);
		const node = { ...nodeOf('Tested', this.node), parameters };
		const { properties } = description;
		const all = NodeHelpers.getNodeParameters(
			properties,
			parameters,
			true,
			false,
			node,
			description,
		);
		node.parameters = all ?? parameters;
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		const shown = Object.entries(node.parameters).map(([name, value]) => [
			name,
			workflow.expression.getParameterValue(value, null, 0, 0, 'Tested', [{ json }], 'manual', {}),
		]);
		const sent: IDataObject = JSON.parse(JSON.stringify(Object.fromEntries(shown)));
		const value = (name: string) => sent[name];
		return Object.create(this.dropDown, { getCurrentNodeParameter: { value } });
	}

	/** The context in which n8n loads a drop-down of the node. */
	get dropDown(): ILoadOptionsFunctions {
		const { url, apiKey } = this.service;
		const { requestsPerMinute } = this;
		return dropDownContext(this.node, { baseUrl: url, apiKey, requestsPerMinute });
	}
}

/** Returns the context in which n8n asks for the entries of a drop-down. */
export function dropDownContext(
	type: string,
	credential: NodeRun['credential'],
): LoadOptionsContext {
	const credentials = { [`${type}Api`]: { id: 'test', name: 'test' } };
	const node = { ...nodeOf('Tested', type), credentials };
	const workflow = new Workflow({
		id: 'test',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	return new LoadOptionsContext(workflow, node, additionalData(credential), '');
}

/** The date of the first seeded record. */
export const SEED_FROM = new Date('2026-01-01T00:00:00Z');
