import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { RecordedRequest } from '../../../sandbox';
import { anyText, runs } from '../../support/random.mts';
import { errorOf, operationNames, runSample, samplesOf, serviceOf } from '../../support/samples';
import type { Sample } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// With any value in any parameter, no operation crashes, leaves its path, or adds a header.

const sandbox = useSandbox();

function deep(levels: number): IDataObject {
	return levels === 0 ? { leaf: 'x' } : { inside: deep(levels - 1) };
}

const nasty = fc.oneof(
	fc.constantFrom<IDataObject[string]>(
		'.',
		'..',
		'../..',
		'a/b/c',
		'%2f',
		'%2e%2e%2f',
		'..%2f..%2fapi',
		'?admin=1',
		'#top',
		'x\r\nX-Injected: yes',
		'\u0000',
		'\uD800',
		'ünïcödé ✓ 漢字',
		'a'.repeat(10_000),
		'__proto__',
		'constructor',
		'',
		' ',
		null,
		0,
		-1,
		true,
		[],
		[null],
		['a@example.com', 'b@example.com'],
		{},
		{ email: 'a@example.com' },
		JSON.parse(
			'{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
		),
		deep(50),
	),
	anyText(60),
);

/** Runs a sample. If a parameter is named, its value comes from the row by an expression. */
async function run(sample: Sample, name?: string, value?: IDataObject[string]) {
	const { requests } = serviceOf(sandbox, sample.node);
	requests.length = 0;
	const result = await runSample(sandbox, sample, name ? { [name]: '={{ $json.value }}' } : {}, {
		input: [{ value }],
		onError: 'continueRegularOutput',
	});
	return { result, requests: [...requests] };
}

const shapeOf = ({ method, path }: RecordedRequest) => `${method} ${path.split('/').length}`;
const headersOf = ({ headers }: RecordedRequest) => Object.keys(headers).sort();

/** Returns the parts of a path that the contract fixes, without IDs. */
function fixedParts(request: RecordedRequest, values: unknown[]): Array<[number, string]> {
	const texts = values.map(String);
	return request.path
		.split('/')
		.map((part, i): [number, string] => [i, part])
		.filter(([, part]) => !texts.includes(decodeURIComponent(part)));
}

const SELECTORS = new Set(['resource', 'operation']);

const operations = Object.entries(operationNames).flatMap(([node, names]) =>
	names.map((name) => ({ node, name })),
);

describe.each(operations)('$node $name', ({ node, name: operation }) => {
	let samples: Sample[] = [];

	beforeEach(() => {
		sandbox.a.reset();
		sandbox.b.reset();
		samples = samplesOf(sandbox).filter(
			(one) => one.node === node && one.name.replace(/ .*/, '') === operation,
		);
	});

	test('neither crashes nor leaves its endpoint if every parameter has an odd value', async () => {
		expect(samples).not.toEqual([]);
		for (const sample of samples) await isSafe(sample);
	});
});

/** Returns whether a write looks up what a refusal means: the tags of feedback, or whether a contact unsubscribed. */
function isLookup({ method, path }: { method: string; path: string }): boolean {
	return method === 'GET' && /^\/api\/v2\/(feedback\/[^/]+|contacts)\/$/.test(path);
}

async function isSafe(sample: Sample): Promise<void> {
	const own = Object.entries(sample.parameters).filter(([name]) => !SELECTORS.has(name));
	if (own.length === 0) return;
	const usual = await run(sample);
	const known = new Set(usual.requests.map(shapeOf));
	const isWrite = usual.requests.every(({ method }) => method !== 'GET');
	const [request] = usual.requests;
	const headers = request ? headersOf(request) : [];
	const values = own.map(([, value]) => value);
	const fixed = request ? fixedParts(request, values) : [];

	const property = fc.asyncProperty(
		fc.constantFrom(...own.map(([name]) => name)),
		nasty,
		async (name, value) => {
			const { result, requests } = await run(sample, name, value);
			expect(result.error).toBeUndefined();
			for (const { json } of result.output[0] ?? []) {
				expect(errorOf(json) ?? '').not.toMatch(/undefined|\[object|Cannot read/);
			}
			for (const request of requests) {
				if (isWrite && isLookup(request)) continue;
				expect(known).toContain(shapeOf(request));
				for (const [i, part] of fixed) expect(request.path.split('/')[i]).toBe(part);
				expect(headers).toEqual(expect.arrayContaining(headersOf(request)));
			}
			expect(Object.keys(Object.prototype)).toEqual([]);
			expect({}).not.toHaveProperty('polluted');
		},
	);
	await fc.assert(property, runs(40));
}
