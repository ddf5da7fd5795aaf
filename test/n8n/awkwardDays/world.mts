import { startSandbox, type Sandbox } from '../../../sandbox/index';
import { openChatModel } from '../../support/chatModel.mts';
import { openMailbox, type Mailbox } from '../../support/mailbox.mts';
import { credentialsFor, host, type Made } from '../../support/n8n.mts';
import { openReceiver, type Receiver } from '../../support/receiver.mts';

// Both services, a team and a CRM of one example alone.

export const SECRET = { 'x-secret': 'example' };
export const LOGIN = { username: 'lead', password: 'example' };

/**
 * Answers a request to the CRM, the chat or the help desk.
 *
 * @param ago returns the date so many hours before the story began, as it looks by now
 */
export type Answer = (
	path: string,
	body: Record<string, unknown>,
	ago: (hours: number) => Date,
) => object;

/** A request of a node. */
export interface Point {
	at: 'a' | 'b' | 'crm' | 'mail';
	/** Tested against the path, or the text of the mail. */
	request: RegExp;
	/** Requests of its kind that pass first. */
	skip?: number;
	/** For a tool of an agent: the requests to the model that pass before the one that has its result. */
	after?: number;
}

/** `in`: the service has carried the request out, and its response never arrives. */
export const MOMENTS = ['before', 'in', 'after'] as const;

export type Moment = (typeof MOMENTS)[number];

export class World {
	/** How the CRM answers. */
	answer: Answer = () => ({});

	/** Hours that a test has let pass. */
	passed = 0;

	/** The URL of a node that holds a run behind another node, until `holdAt` has come true. */
	get gateUrl(): string {
		return `${this.gate.url}/gate`;
	}

	private constructor(
		readonly sandbox: Sandbox,
		readonly mailbox: Mailbox,
		readonly receiver: Receiver,
		readonly model: Receiver,
		private readonly gate: Receiver,
		readonly credentials: Record<string, Made>,
	) {}

	static async open(script: Parameters<typeof openChatModel>[0] = []): Promise<World> {
		const sandbox = await startSandbox();
		let world: World | undefined;
		const mailbox = await openMailbox();
		const receiver = await openReceiver(
			(body, path) => world?.answer(path, Object(body), world.ago) ?? {},
		);
		const model = await openChatModel(script);
		const gate = await openReceiver();
		const credentials = await made(sandbox, mailbox, model);
		world = new World(sandbox, mailbox, receiver, model, gate, credentials);
		return world;
	}

	async close(): Promise<void> {
		await this.sandbox.close();
		await this.mailbox.close();
		await this.receiver.close();
		await this.model.close();
		await this.gate.close();
	}

	/** Holds a run at a moment of a request. Resolves when the run is there. */
	async holdAt({ at, request, skip = 0, after }: Point, moment: Moment): Promise<void> {
		const { a, b } = this.sandbox;
		await new Promise<void>((arrived) => {
			const isCarriedOut = moment === 'in';
			const hold = { request, skip, isCarriedOut, arrived };
			if (moment === 'after' && after === undefined) {
				this.gate.hold = { ...hold, request: /gate/ };
			} else if (moment === 'after') this.model.hold = { ...hold, request: /./, skip: after ?? 0 };
			else if (at === 'mail') this.mailbox.hold = hold;
			else if (at === 'crm') this.receiver.hold = hold;
			else {
				let left = skip;
				({ a, b })[at].faults.add({
					path: request,
					when: ({ method }) => {
						const isNow = method !== 'GET' && left-- === 0;
						if (isNow) arrived();
						return isNow;
					},
					// A held request is carried out when the promise settles, so never.
					kind: isCarriedOut ? 'hang' : { until: new Promise(() => undefined) },
				});
			}
		});
	}

	/** The calls of the CRM, the chat or the help desk, without those that it refused. */
	get calls() {
		return this.receiver.calls.filter(({ isRefused }) => !isRefused);
	}

	/** Forgets everything. */
	reset(): void {
		const { a, b } = this.sandbox;
		a.reset();
		b.reset();
		a.state.outbox.length = 0;
		a.state.feedback.length = 0;
		b.state.feedback.length = 0;
		this.mailbox.messages.length = 0;
		this.receiver.calls.length = 0;
		this.passed = 0;
		this.mend();
	}

	readonly ago = (hours: number) => new Date(Date.now() - (hours + this.passed) * 3_600_000);

	/** Ends all refusals, and holds nothing any more. */
	mend(): void {
		this.receiver.refusal = undefined;
		for (const one of [this.receiver, this.model, this.gate, this.mailbox]) one.hold = undefined;
		this.sandbox.a.faults.clear();
		this.sandbox.b.faults.clear();
	}
}

async function made(sandbox: Sandbox, mailbox: Mailbox, model: Receiver) {
	const { n8n } = host;
	const [name, value] = Object.entries(SECRET)[0] ?? [];
	const login = { user: LOGIN.username, password: LOGIN.password };
	return {
		...(await credentialsFor(sandbox, n8n)),
		smtp: await n8n.createCredential('smtp', 'Mailbox', mailbox.credential),
		// n8n publishes no node without a credential. A check with a database brings its own.
		postgres: await n8n.createCredential('postgres', 'PostgreSQL', { host: '127.0.0.1', port: 9 }),
		httpHeaderAuth: await n8n.createCredential('httpHeaderAuth', 'Secret', { name, value }),
		httpBasicAuth: await n8n.createCredential('httpBasicAuth', 'Login', login),
		openAiApi: await n8n.createCredential('openAiApi', 'Model', {
			apiKey: 'example-key',
			url: `${model.url}/v1`,
		}),
	};
}
