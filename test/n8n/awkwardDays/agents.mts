import { openChatModel } from '../../support/chatModel.mts';
import { createTable } from '../../support/dataTable.mts';
import { click, linksInEmail, unwrapped, type Links } from '../../support/mailbox.mts';
import { host, sandbox, type Execution } from '../../support/n8n.mts';
import type { Receiver } from '../../support/receiver.mts';
import {
	AWKWARD_TEXT,
	imported,
	mailbox,
	refusal,
	seenByPeople,
	type AwkwardDays,
} from './setup.mts';

// The examples with an AI model, which follows a script here.

type Check = () => Promise<void>;
type Script = Parameters<typeof openChatModel>[0];

const MOMENTS_ONLY = 'It compares no times';

/** Imports an example with a model that follows a script, for as long as `work` takes. */
async function withModel(
	name: string,
	script: Script,
	work: (id: string, model: Receiver) => Promise<void>,
): Promise<void> {
	const model = await openChatModel(script);
	const data = { apiKey: 'example-key', url: `${model.url}/v1` };
	const openAiApi = await host.n8n.createCredential('openAiApi', 'Model', data);
	await host.n8n.deleteDataTables();
	await createTable(host.n8n, 'Labeled', [{ name: 'comment', type: 'string' }], []);
	const table = { __rl: true, mode: 'id', value: await host.n8n.dataTableId('Labeled') };
	const id = await imported(name, ({ nodes }) => {
		for (const node of nodes) {
			if (node.type.endsWith('.lmChatOpenAi')) node.credentials = { openAiApi };
			// n8n publishes an evaluation only with a table.
			if (node.type.endsWith('.evaluationTrigger'))
				node.parameters = { ...node.parameters, dataTableId: table };
		}
	});
	try {
		await work(id, model);
	} finally {
		await model.close();
	}
}

interface Triage {
	comment?: string;
	/** Acts when the mail has arrived and the run waits. */
	decide?: (links: Links, id: string) => Promise<unknown>;
	/** Lets the answer come in. */
	answer?: () => Promise<unknown>;
}

const REPLY = `We are sorry. ${AWKWARD_TEXT}`;

const approve = async ({ approve }: Links) => await click(approve);

/** "An agent triages comments, and a person decides what goes out": nothing goes out unread, and nothing twice. */
export const agentTriage = ((): AwkwardDays => {
	const name = 'agent-triage';
	const replies = () => sandbox.b.state.replies.map(({ message }) => message);
	const script: Script = [
		{ tool: /find/i, input: () => ({}) },
		{ tool: /tag/i, input: () => ({ tagName: 'pricing' }) },
		{
			tool: /reply/i,
			// A tool behind a review step has parameters of its own.
			input: () => ({ toolParameters: { message: REPLY }, hitlParameters: {} }),
		},
		{ says: 'Done.' },
	];

	/** Publishes the example while one answer comes in. Returns its run, and the last request to the model. */
	async function triage({ comment = 'Too dear', decide = approve, answer }: Triage = {}) {
		let run: Execution | undefined;
		let asked = '';
		await withModel(name, script, async (id, model) => {
			await host.n8n.activate(id);
			const come = { email: 'ada@days.example', campaignId: 101, score: 2, comment };
			await (answer ? answer() : sandbox.b.answer(come));
			const links = await linksInEmail(mailbox);
			await host.n8n.waitUntilWaiting(id);
			await decide(links, id);
			[run] = await host.n8n.waitForExecutions(id, 1, 90_000);
			await host.n8n.deactivate(id);
			asked = JSON.stringify(model.calls.map(({ body }) => body));
		});
		return { run, asked };
	}

	/** The reply that a person approved is refused: somebody hears that it did not go out. */
	const refusedBy = (status: number): Check => {
		return async () => {
			sandbox.b.faults.add({ path: /reply/, kind: refusal(status), times: Infinity });
			const { run } = await triage();
			sandbox.b.faults.clear();
			expect(replies()).toEqual([]);
			expect(run?.error?.message).toMatch(/Feedback \d+, Reply to Feedback: /);
		};
	};

	return {
		name,
		days: {
			'an empty list': 'Each delivery is one item',
			'one item': async () => {
				const { run } = await triage();
				expect(run).toMatchObject({ status: 'success' });
				expect(replies()).toEqual([REPLY]);
				expect(sandbox.b.state.feedback.at(-1)?.tags).toMatchObject([{ name: 'pricing' }]);
			},
			'500 items': 'Each delivery is one item',
			'quotes, newlines, emoji and HTML': async () => {
				const { asked } = await triage({ comment: AWKWARD_TEXT });
				expect(asked).toContain(JSON.stringify(AWKWARD_TEXT).slice(1, -1));
				expect(mailbox.messages.map(unwrapped).join()).not.toMatch(/<b>bad|<!channel>/);
				expect(replies()).toEqual([REPLY]);
			},
			'no email': async () => {
				const { asked } = await triage({
					answer: async () => {
						const other = { email: 'eve@other.example', campaignId: 102, score: 9 };
						const answer = sandbox.b.answer({ ...other, comment: 'Secret' });
						const nobody = { ...answer, score: 1, score_type: 'detractor', contact: null };
						await sandbox.b.deliver('feedback.added_or_changed', { ...nobody, comment: 'Mine' });
					},
				});
				expect(asked).toContain('somebody without an email');
				expect(asked).not.toContain('Secret');
			},
			'an address in other case': 'It asks with the address as the delivery has it',
			'two answers by one person in an hour': 'Each answer is a run of its own',
			'two starts within two seconds': 'Deliveries start it, and the trigger runs none twice',
			// n8n 2.41 takes the waiting run for one that crashed, and refuses the click.
			'a restart in the middle': async () => {
				await triage({
					decide: async ({ approve }, id) => {
						await host.n8n.restart();
						await click(approve);
						const [run] = await host.n8n.executions(id);
						await host.n8n.stopExecution(run?.id ?? '');
					},
				});
				expect(replies()).toEqual([]);
			},
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': async () => {
				sandbox.b.faults.add({ path: /reply/, kind: refusal(429), times: 2 });
				expect((await triage()).run).toMatchObject({ status: 'success' });
				expect(replies()).toEqual([REPLY]);
			},
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': 'An approval that nobody gives ends after three times 24 hours',
		},
	};
})();

/** "Each comment gets its topics from an AI model": once, and what fails is named. */
export const commentTopics = ((): AwkwardDays => {
	const name = 'comment-topics-by-ai';
	const feedback = () => sandbox.a.state.feedback;
	const topics = [{ name: 'pricing', sentiment: 'negative' }];
	const script: Script = [{ says: JSON.stringify({ topics }) }];

	const answers = (count: number, comment = 'Too dear') => {
		for (let i = 0; i < count; i++) {
			const email = `p${i}@days.example`;
			sandbox.a.answer({ email, campaignId: '64a000000000000000000003', score: 3, comment });
		}
	};
	const withTopics = () => feedback().filter((one) => Object(one.feedbackTopics).length > 0);

	/** Publishes the example, and publishes it again after answers have come in, which polls. Returns the run. */
	async function polled(come: () => unknown, id: string): Promise<Execution | undefined> {
		await host.n8n.activate(id);
		await come();
		await host.n8n.deactivate(id);
		await host.n8n.activate(id);
		const [run] = await host.n8n.waitForExecutions(id, 1, 120_000);
		await host.n8n.deactivate(id);
		return run;
	}

	const refusedBy = (status: number): Check => {
		return async () =>
			await withModel(name, script, async (id) => {
				feedback().length = 0;
				sandbox.a.faults.add({ path: /topics/, kind: refusal(status), times: Infinity });
				const run = await polled(() => answers(2), id);
				sandbox.a.faults.clear();
				expect(run).toMatchObject({ status: 'error' });
				expect(await seenByPeople(id)).toMatch(/Refused|may have been processed/);
				expect(withTopics()).toEqual([]);
			});
	};
	const checked = (come: () => unknown, count: number): Check => {
		return async () =>
			await withModel(name, script, async (id) => {
				feedback().length = 0;
				expect(await polled(come, id)).toMatchObject({ status: 'success' });
				expect(withTopics()).toHaveLength(count);
				for (const one of withTopics()) expect(one.feedbackTopics).toEqual(topics);
			});
	};

	return {
		name,
		days: {
			'an empty list': async () =>
				await withModel(name, script, async (id, model) => {
					feedback().length = 0;
					await host.n8n.activate(id);
					await host.n8n.deactivate(id);
					expect([await host.n8n.executions(id), model.calls]).toEqual([[], []]);
				}),
			'one item': checked(() => answers(1), 1),
			'500 items': checked(() => answers(500), 500),
			'quotes, newlines, emoji and HTML': async () =>
				await withModel(name, script, async (id, model) => {
					feedback().length = 0;
					const run = await polled(() => answers(1, `${AWKWARD_TEXT} {topics} {`), id);
					expect(run).toMatchObject({ status: 'success' });
					const asked = JSON.stringify(model.calls.map(({ body }) => body));
					expect(asked).toContain(JSON.stringify(AWKWARD_TEXT).slice(1, -1));
					expect(withTopics()).toHaveLength(1);
				}),
			'no email': 'It looks up nothing by an address',
			'an address in other case': 'It looks up nothing by an address',
			'two answers by one person in an hour': 'Each answer gets its own topics',
			'two starts within two seconds': 'A trigger that polls starts one run at a time',
			'a restart in the middle': 'n8n shows the run as crashed, and a retry goes on',
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': async () => {
				sandbox.a.faults.add({ path: /topics/, kind: refusal(429), times: 2 });
				await checked(() => answers(2), 2)();
			},
			'a 500 in the middle': async () => {
				await refusedBy(500)();
				// The model fails for one comment: the others get their topics, and the run names that one.
				await withModel(name, script, async (id, model) => {
					feedback().length = 0;
					model.refusal = { status: 400, times: 1 };
					const run = await polled(() => answers(3), id);
					expect(run).toMatchObject({ status: 'error' });
					expect(withTopics()).toHaveLength(2);
					const [lost] = feedback().filter((one) => !withTopics().includes(one));
					expect(run?.error?.message).toContain(`Feedback ${lost?.id}`);
				});
			},
			'a change of clocks': MOMENTS_ONLY,
		},
	};
})();
