import type { Postgres } from '../../../host/queue/postgres.mts';
import { recordsOf } from '../../support/dataTable.mts';
import { holdNext } from '../../support/hold.mts';
import { host, sandbox, type Execution } from '../../support/n8n.mts';
import { onDatabase } from './database.mts';
import {
	AWKWARD_TEXT,
	imported,
	killDuring,
	receiver,
	refusal,
	repeated,
	runTwice,
	seenByPeople,
	whilePublished,
	type AwkwardDays,
	type Day,
} from './setup.mts';

// The examples that an answer in Survey B starts.

type Check = () => Promise<void>;
interface Answer {
	email?: string;
	campaignId?: number;
	score?: number;
	comment?: string;
}

const MOMENTS_ONLY = 'It compares moments only';
const BY_ID = 'It looks up nothing by an address';
const ONE_DELIVERY = 'Each delivery is one item';
const BY_DELIVERY = 'Deliveries start it, and the trigger runs none twice';

const callsOf = (path: string) => receiver.calls.filter((call) => call.path === path);
const REPLY = { path: /reply/ };

/** Publishes an example while these answers come in, one after the other. Returns its runs. */
async function runsFor(id: string, answers: Answer[]): Promise<Execution[]> {
	const work = async () => {
		for (const [index, answer] of answers.entries()) {
			sandbox.b.answer({ email: 'ada@days.example', campaignId: 101, score: 2, ...answer });
			await host.n8n.waitForExecutions(id, index + 1, 90_000);
		}
	};
	return await whilePublished(id, work, answers.length);
}

/** The reply is refused: the run fails, and somebody hears why. */
const replyRefusedIn =
	(name: string, answer: Answer, ended: Partial<Execution> = {}) =>
	(status: number): Check => {
		return async () => {
			const id = await imported(name);
			sandbox.b.faults.add({ ...REPLY, kind: refusal(status), times: Infinity });
			const [run] = await runsFor(id, [answer]);
			sandbox.b.faults.clear();
			expect(run).toMatchObject({ status: 'error', ...ended });
			expect(await seenByPeople(id)).toMatch(/Refused|may have been processed/);
		};
	};

/** The service asks twice for a pause: one reply goes out. */
const replyAfterPauseIn =
	(name: string, answer: Answer): Check =>
	async () => {
		const id = await imported(name);
		sandbox.b.faults.add({ ...REPLY, kind: refusal(429), times: 2 });
		const [run] = await runsFor(id, [answer]);
		expect(run).toMatchObject({ status: 'success' });
		expect(sandbox.b.state.replies).toHaveLength(1);
	};

const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** "Each detractor is taken care of once, and the team reads every comment." */
export const routeDetractors = ((): AwkwardDays => {
	const name = 'route-detractors';
	const nightly = async (id: string) => await host.n8n.run(id, { trigger: 'Every Night' });
	const repliedTo = () => sandbox.b.state.replies.map(({ feedbackId }) => String(feedbackId));

	/** Adds detractors whose deliveries never came. Returns their IDs. */
	function missed(count: number, email?: string): number[] {
		return Array.from({ length: count }, (_, i) => {
			const who = `missed${i}@acme.example`;
			const answer = sandbox.b.answer({ email: who, campaignId: 101, score: 1, comment: 'Lost' });
			answer.created = new Date(Date.now() - 2 * 3_600_000).toISOString();
			if (email !== undefined) answer.contact = { ...answer.contact, email };
			return answer.id;
		});
	}

	/** The reply is refused: the team and the help desk hear of the detractor, and somebody hears of the reply. */
	const refusedBy = (status: number): Check => {
		return async () => {
			const id = await imported(name);
			sandbox.b.faults.add({ ...REPLY, kind: refusal(status), times: Infinity });
			const [run] = await runsFor(id, [{ comment: 'Hello?' }]);
			sandbox.b.faults.clear();
			expect(callsOf('/alert-team')).toHaveLength(1);
			if (run?.lastNode === 'Reply') {
				// The account is refused, so the run ends here. A retry goes on with this step.
				expect(await host.n8n.retry(run.id)).toMatchObject({ status: 'success' });
				expect(sandbox.b.state.feedback.at(-1)).toMatchObject({ status: 'CLOSED' });
				return;
			}
			expect(callsOf('/open-ticket')).toHaveLength(1);
			expect(await seenByPeople(id)).toMatch(/Feedback \d+, Reply: /);
			expect(await recordsOf(host.n8n, 'Detractors to check')).toMatchObject([{ step: 'Reply' }]);
			expect(sandbox.b.state.feedback.at(-1)).toMatchObject({ status: 'OPEN' });
		};
	};

	return {
		name,
		days: {
			'an empty list': async () => {
				const id = await imported(name);
				sandbox.b.state.feedback.length = 0;
				expect(await nightly(id)).toMatchObject({ status: 'success' });
				expect(receiver.calls).toEqual([]);
			},
			'one item': async () => {
				const id = await imported(name);
				sandbox.b.state.feedback.length = 0;
				const ids = missed(1);
				for (let night = 0; night < 2; night++) await nightly(id);
				expect(repliedTo()).toEqual(ids.map(String));
				expect(callsOf('/open-ticket')).toHaveLength(1);
			},
			'500 items': async () => {
				const id = await imported(name);
				sandbox.b.state.feedback.length = 0;
				const ids = missed(500).map(String);
				receiver.refusal = { path: '/open-ticket', status: 500, times: 10 };
				await nightly(id);
				expect(new Set(repliedTo())).toEqual(new Set(ids));
				expect(repeated(repliedTo())).toEqual([]);
				// Each of the ten tickets that failed stands in the table, and its feedback stays open.
				expect(await recordsOf(host.n8n, 'Detractors to check')).toHaveLength(10);
				const open = sandbox.b.state.feedback.filter(({ status }) => status === 'OPEN');
				expect(open).toHaveLength(10);
				expect(await seenByPeople(id)).toContain('Open Ticket: ');
			},
			'quotes, newlines, emoji and HTML': async () => {
				const id = await imported(name);
				await runsFor(id, [{ comment: AWKWARD_TEXT }]);
				expect(callsOf('/alert-team')).toMatchObject([
					{ body: { text: `ada@days.example gave 2: ${escaped(AWKWARD_TEXT)}` } },
				]);
				expect(callsOf('/open-ticket')).toMatchObject([{ body: { comment: AWKWARD_TEXT } }]);
			},
			'no email': async () => {
				const id = await imported(name);
				sandbox.b.state.feedback.length = 0;
				missed(1, '');
				await nightly(id);
				expect(callsOf('/alert-team')).toMatchObject([
					{ body: { text: expect.stringContaining('gave 1: Lost') } },
				]);
				expect(sandbox.b.state.feedback.at(-1)).toMatchObject({ status: 'CLOSED' });
			},
			'an address in other case': BY_ID,
			'two answers by one person in an hour': async () => {
				const id = await imported(name);
				await runsFor(id, [{}, { campaignId: 102 }, { comment: 'Too slow' }]);
				expect(repliedTo()).toHaveLength(2);
				expect(callsOf('/open-ticket')).toHaveLength(2);
				expect(callsOf('/alert-team').map(({ body }) => Object(body).text)).toEqual([
					'ada@days.example gave 2: no comment',
					'ada@days.example gave 2: no comment',
					'ada@days.example gave 2: Too slow',
				]);
			},
			'two starts within two seconds': async () => {
				const id = await imported(name);
				sandbox.b.state.feedback.length = 0;
				const ids = missed(3).map(String);
				await runTwice(id, 'Every Night');
				expect(repliedTo().sort()).toEqual(ids.sort());
				expect(callsOf('/open-ticket')).toHaveLength(3);
			},
			'a restart in the middle': async () => {
				const id = await imported(name);
				sandbox.b.state.feedback.length = 0;
				missed(1);
				const { arrived, release } = holdNext(sandbox.b.faults, REPLY);
				await host.n8n.start(id, 'Every Night');
				await killDuring(arrived, release);
				for (let night = 0; night < 2; night++) await nightly(id);
				expect(repeated(repliedTo())).toEqual([]);
				const statuses = (await host.n8n.executions(id)).map(({ status }) => status);
				expect(statuses).toContain('crashed');
			},
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': replyAfterPauseIn(name, {}),
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': MOMENTS_ONLY,
		},
	};
})();

/** "Promoters are thanked once and become referrers." */
export const promoterToReferral = ((): AwkwardDays => {
	const name = 'promoter-to-referral';
	const referrals = async () => await recordsOf(host.n8n, 'Referrals');

	const refusedBy = replyRefusedIn(name, { score: 10 });

	return {
		name,
		days: {
			'an empty list': ONE_DELIVERY,
			'one item': async () => {
				const id = await imported(name);
				await runsFor(id, [{ score: 9 }]);
				expect(sandbox.b.state.replies).toHaveLength(1);
				expect(await referrals()).toMatchObject([{ email: 'ada@days.example', score: 9 }]);
			},
			'500 items': ONE_DELIVERY,
			'quotes, newlines, emoji and HTML': async () => {
				const id = await imported(name);
				await runsFor(id, [{ score: 9, comment: AWKWARD_TEXT }]);
				expect(await referrals()).toMatchObject([{ comment: AWKWARD_TEXT }]);
			},
			'no email': 'Nobody is surveyed without one',
			'an address in other case': BY_ID,
			'two answers by one person in an hour': async () => {
				const id = await imported(name);
				const more = { score: 10, comment: 'Great' };
				await runsFor(id, [{ score: 10 }, more, { ...more, campaignId: 102 }]);
				expect(sandbox.b.state.replies).toHaveLength(2);
				expect(await referrals()).toMatchObject([{ comment: 'Great' }, { comment: 'Great' }]);
			},
			'two starts within two seconds': BY_DELIVERY,
			'a restart in the middle': async () => {
				const id = await imported(name);
				await host.n8n.activate(id);
				const { arrived, release } = holdNext(sandbox.b.faults, REPLY);
				sandbox.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 10 });
				await killDuring(arrived, release);
				// The next change of the answer completes what the run did not.
				sandbox.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 10, comment: 'Hi' });
				await host.n8n.waitForExecutions(id, 2, 90_000);
				await host.n8n.deactivate(id);
				expect(sandbox.b.state.replies).toHaveLength(1);
				expect(await referrals()).toMatchObject([{ comment: 'Hi' }]);
			},
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': replyAfterPauseIn(name, { score: 10 }),
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': MOMENTS_ONLY,
		},
	};
})();

/** "Each detractor opens one Zendesk ticket with everything that is known." */
export const zendeskTicket = ((): AwkwardDays => {
	const name = 'zendesk-detractor-ticket';
	const tickets = () => callsOf('/open-ticket').map(({ body }) => Object(body));

	/** Somebody else's answers, which must never stand in a ticket. */
	const others = () => {
		sandbox.b.answer({ email: 'eve@other.example', campaignId: 101, score: 9, comment: 'Secret' });
	};
	const refusedBy = (status: number): Check => {
		return async () => {
			const id = await imported(name);
			sandbox.b.faults.add({
				method: 'GET',
				path: /feedback/,
				kind: refusal(status),
				times: Infinity,
			});
			const [run] = await runsFor(id, [{}]);
			sandbox.b.faults.clear();
			expect(run).toMatchObject({ status: 'error' });
			expect(await seenByPeople(id)).not.toBe('');
			expect(tickets()).toEqual([]);
		};
	};
	const days: Record<Day, Check | string> = {
		'an empty list': ONE_DELIVERY,
		'one item': async () => {
			const id = await imported(name);
			others();
			await runsFor(id, [{ comment: 'Slow' }]);
			expect(tickets()).toMatchObject([
				{ description: 'Slow\n\nEarlier answers:\nThis is the first answer.' },
			]);
		},
		'500 items': ONE_DELIVERY,
		'quotes, newlines, emoji and HTML': async () => {
			const id = await imported(name);
			await runsFor(id, [{ comment: AWKWARD_TEXT }]);
			expect(tickets()).toMatchObject([{ description: expect.stringContaining(AWKWARD_TEXT) }]);
		},
		'no email': async () => {
			const id = await imported(name);
			others();
			const work = async () => {
				const answer = sandbox.b.answer({ email: 'eve@other.example', campaignId: 102, score: 9 });
				const nobody = { ...answer, id: 999, score: 1, score_type: 'detractor', contact: null };
				await sandbox.b.deliver('feedback.added_or_changed', nobody);
			};
			await whilePublished(id, work);
			expect(tickets()).toHaveLength(1);
			expect(JSON.stringify(tickets())).not.toContain('Secret');
		},
		'an address in other case': async () => {
			sandbox.b.settings.exactEmails = true;
			const id = await imported(name);
			sandbox.b.answer({ email: 'Ada@Acme.example', campaignId: 102, score: 8, comment: 'Fine' });
			await runsFor(id, [{ email: 'Ada@Acme.example', comment: 'Slow' }]);
			expect(tickets()).toMatchObject([{ description: expect.stringContaining('Fine') }]);
		},
		'two answers by one person in an hour': async () => {
			const id = await imported(name);
			await runsFor(id, [{ comment: 'One' }, { campaignId: 102, comment: 'Two' }]);
			expect(tickets()).toHaveLength(2);
			expect(tickets()[1]?.description).toContain('One');
		},
		'two starts within two seconds': BY_DELIVERY,
		'a restart in the middle': 'n8n shows the run as crashed, and a retry goes on',
		'a 401 in the middle': refusedBy(401),
		'a 403 in the middle': refusedBy(403),
		'a 429 in the middle': async () => {
			const id = await imported(name);
			sandbox.b.faults.add({ method: 'GET', path: /feedback/, kind: refusal(429), times: 2 });
			const [run] = await runsFor(id, [{}]);
			expect(run).toMatchObject({ status: 'success' });
			expect(tickets()).toHaveLength(1);
		},
		'a 500 in the middle': async () => {
			const id = await imported(name);
			receiver.refusal = { path: '/open-ticket', status: 500, times: 1 };
			const [run] = await runsFor(id, [{}]);
			expect(run).toMatchObject({ status: 'error' });
			expect(await seenByPeople(id)).not.toBe('');
		},
		'a change of clocks': MOMENTS_ONLY,
	};
	return { name, days };
})();

/** "A detractor is answered from Slack": once, and only after a person has approved the reply. */
export const slackReply = ((): AwkwardDays => {
	const name = 'slack-detractor-reply';
	const asked = () => callsOf('/ask-in-slack').map(({ body }) => String(Object(body).message));

	const refusedBy = replyRefusedIn(name, { comment: 'Hello?' }, { lastNode: 'Reply' });

	return {
		name,
		days: {
			'an empty list': ONE_DELIVERY,
			'one item': async () => {
				const id = await imported(name);
				await runsFor(id, [{ comment: 'Slow' }]);
				expect(asked()).toHaveLength(1);
				expect(sandbox.b.state.replies).toHaveLength(1);
			},
			'500 items': ONE_DELIVERY,
			'quotes, newlines, emoji and HTML': async () => {
				const id = await imported(name);
				await runsFor(id, [{ comment: AWKWARD_TEXT }]);
				expect(asked()).toHaveLength(1);
				expect(asked()[0]).not.toMatch(/<(!|b|\/b)/);
				expect(sandbox.b.state.replies).toMatchObject([
					{ message: expect.stringContaining(AWKWARD_TEXT) },
				]);
			},
			'no email': 'Nobody is surveyed without one',
			'an address in other case': BY_ID,
			'two answers by one person in an hour': async () => {
				const id = await imported(name);
				await runsFor(id, [{ comment: 'One' }, { campaignId: 102, comment: 'Two' }]);
				expect(asked()).toHaveLength(2);
				expect(sandbox.b.state.replies).toHaveLength(2);
			},
			'two starts within two seconds': BY_DELIVERY,
			'a restart in the middle': 'n8n shows the run as crashed, and a retry goes on',
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': replyAfterPauseIn(name, { comment: 'Slow' }),
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': MOMENTS_ONLY,
		},
	};
})();

/** "Each change in Survey B runs once, in queue mode, too", and one that failed can be retried. */
export const oneRunPerChange = ((): AwkwardDays => {
	const name = 'one-run-per-change';
	const TAG = { path: /tag\/$/ };
	const tags = () => (sandbox.b.state.feedback.at(-1)?.tags ?? []).map((tag) => tag.name);
	const done = async (server: Postgres) =>
		await server.rows('SELECT done_at IS NOT NULL FROM survey_changes');

	/** Lets an answer come in, delivered so many times at once. Returns the runs of its deliveries. */
	async function changed(id: string, deliveries = 1): Promise<Execution[]> {
		await host.n8n.run(id, { trigger: 'Run Once' });
		const workflow = await host.n8n.workflow(id);
		for (const { type, parameters } of workflow.nodes) {
			// Like processes of n8n that do not know each other's deliveries.
			if (type.endsWith('surveyBTrigger'))
				Object.assign(parameters ?? {}, { options: { ignoreRepeats: false } });
		}
		await host.n8n.updateWorkflow(id, workflow);
		sandbox.b.settings.deliveryRepeats = deliveries;
		const work = async () =>
			void sandbox.b.answer({ email: 'ada@days.example', campaignId: 101, score: 5 });
		const runs = await whilePublished(id, work, deliveries + 1);
		sandbox.b.settings.deliveryRepeats = 1;
		return runs.filter(({ nodes }) => 'Feedback Comes In' in nodes);
	}

	const refusedBy = (status: number) =>
		onDatabase(name, async (id, server) => {
			sandbox.b.faults.add({ ...TAG, kind: refusal(status), times: Infinity });
			const [run] = await changed(id);
			sandbox.b.faults.clear();
			expect(run).toMatchObject({ status: 'error' });
			expect(await seenByPeople(id)).not.toBe('');
			expect([tags(), await done(server)]).toEqual([[], [['f']]]);
			await host.n8n.retry(run?.id ?? '');
			expect([tags(), await done(server)]).toEqual([['Seen by n8n'], [['t']]]);
		});

	return {
		name,
		days: {
			'an empty list': ONE_DELIVERY,
			'one item': onDatabase(name, async (id, server) => {
				await changed(id);
				expect([tags(), await done(server)]).toEqual([['Seen by n8n'], [['t']]]);
			}),
			'500 items': ONE_DELIVERY,
			'quotes, newlines, emoji and HTML': 'It reads no text',
			'no email': BY_ID,
			'an address in other case': BY_ID,
			'two answers by one person in an hour': 'Each answer is a change of its own',
			'two starts within two seconds': onDatabase(name, async (id, server) => {
				const runs = await changed(id, 5);
				expect(runs).toHaveLength(5);
				expect(runs.filter(({ nodes }) => 'Tag Feedback' in nodes)).toHaveLength(1);
				expect([tags(), await done(server)]).toEqual([['Seen by n8n'], [['t']]]);
			}),
			'a restart in the middle':
				'n8n shows the run as crashed, and it can be retried after a minute',
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': onDatabase(name, async (id, server) => {
				sandbox.b.faults.add({ ...TAG, kind: refusal(429), times: 2 });
				await changed(id);
				expect([tags(), await done(server)]).toEqual([['Seen by n8n'], [['t']]]);
			}),
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': MOMENTS_ONLY,
		},
	};
})();
