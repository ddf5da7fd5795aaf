import { linksInEmail, click, unwrapped, type Links } from '../../support/mailbox.mts';
import { host } from '../../support/n8n.mts';
import {
	AWKWARD_TEXT,
	BY_ID,
	MOMENTS_ONLY,
	NO_TABLE,
	ONE_DELIVERY,
	type AwkwardDays,
	type Check,
} from './days.mts';
import { allByTwoImports, importedTwice } from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

// The examples with an AI model, which follows a script here.

const CAMPAIGN = '64a000000000000000000003';

interface Triage {
	comment?: string;
	/** Acts when the mail has arrived and the run waits. */
	decide?: (links: Links) => Promise<unknown>;
	/** Lets the answer come in. */
	answer?: () => Promise<unknown>;
}

const approve = async (links: Links) => await click(links.approve);

/** "An agent triages comments, and a person decides what goes out": nothing goes out unread, and nothing twice. */
export const agentTriage = ((): AwkwardDays => {
	const replies = ({ world }: Play) => world.sandbox.b.state.replies.map(({ message }) => message);

	/** Lets one answer come in. Returns all requests to the model. */
	async function triage(
		play: Play,
		{ comment = 'Too dear', decide = approve, answer }: Triage = {},
	) {
		const { world, ids } = play;
		const come = { email: 'ada@days.example', campaignId: 101, score: 2, comment };
		await (answer ? answer() : world.sandbox.b.answer(come));
		const links = await linksInEmail(world.mailbox);
		// n8n sends the mail before the run waits, and refuses a click until then.
		await host.n8n.waitUntilWaiting(ids[0] ?? '');
		world.mailbox.messages.length = 0;
		await decide(links);
		await host.n8n.waitForExecutions(ids[0] ?? '', 1, 120_000);
		return { asked: JSON.stringify(world.model.calls.map(({ body }) => body)), mail: links.text };
	}

	/** The reply that a person approved is refused: somebody hears that it did not go out. */
	const refusedBy = (status: number): Check => {
		return async (play) => {
			const reply = { path: /reply/, kind: refusal(status), times: Infinity };
			play.world.sandbox.b.faults.add(reply);
			await triage(play);
			await play.settle();
			expect(replies(play)).toEqual([]);
			expect(await play.seen()).toMatch(/Feedback \d+: a step of the agent failed/);
			expect(await play.seen()).toContain('Reply to Feedback: ');
		};
	};

	return {
		story: stories.agentTriage,
		days: {
			'an empty list': ONE_DELIVERY,
			'one item': async (play) => {
				await triage(play);
				expect(replies(play)).toEqual([stories.REPLY]);
				expect(play.world.sandbox.b.state.feedback).toMatchObject([
					{ tags: [{ name: 'pricing' }] },
				]);
				await play.settle();
				expect(await play.seen()).toBe('');
			},
			'many items': ONE_DELIVERY,
			'quotes, newlines, emoji and HTML': async (play) => {
				const { asked, mail } = await triage(play, { comment: AWKWARD_TEXT });
				expect(asked).toContain(JSON.stringify(AWKWARD_TEXT).slice(1, -1));
				expect(mail).not.toMatch(/<b>bad|<!channel>/);
				expect(replies(play)).toEqual([stories.REPLY]);
			},
			'no email': async (play) => {
				const { b } = play.world.sandbox;
				const { asked } = await triage(play, {
					answer: async () => {
						const other = { email: 'eve@other.example', campaignId: 102, score: 9 };
						const answer = b.answer({ ...other, comment: 'Secret' });
						const nobody = { ...answer, score: 1, score_type: 'detractor', contact: null };
						await b.deliver('feedback.added_or_changed', { ...nobody, comment: 'Mine' });
					},
				});
				expect(asked).toContain('somebody without an email');
				expect(asked).not.toContain('Secret');
			},
			'an address in other case': 'It asks with the address as the delivery has it',
			'two answers by one person in an hour': async (play) => {
				// A person declines, and nothing goes out.
				const { asked } = await triage(play, {
					decide: async ({ decline }) => await click(decline),
				});
				expect(replies(play)).toEqual([]);
				expect(asked).toContain('Too dear');
				const last = JSON.stringify(play.world.model.calls.at(-1)?.body);
				expect(last).toContain('User rejected the tool call to Reply to Feedback');
			},
			'two starts within two seconds': 'Deliveries start it, and the trigger runs none twice',
			'a fault of the service': refusedBy(500),
			'a change of clocks': 'An approval that nobody gives ends after three times 24 hours',
			'an account that is refused for an hour': refusedBy(401),
			'an erased person': 'erase-person deletes the feedback in Survey B, which this example reads',
			'a hand in the table': NO_TABLE,
			'a mass update': ONE_DELIVERY,
			'a second import': async (play) => {
				// Both copies ask. The customer gets one reply.
				const { never, twice } = await importedTwice(play);
				expect([never, twice]).toEqual([[], []]);
			},
		},
	};
})();

/** "Each comment gets its topics from an AI model": once, and what fails is named. */
export const commentTopics = ((): AwkwardDays => {
	const feedback = ({ world }: Play) => world.sandbox.a.state.feedback;
	const withTopics = (play: Play) =>
		feedback(play).filter(({ feedbackTopics }) => (feedbackTopics ?? []).length > 0);

	function answers({ world }: Play, count: number, comment: string | undefined = 'Too dear'): void {
		world.sandbox.a.state.feedback.length = 0;
		for (let i = 0; i < count; i++) {
			world.sandbox.a.answer({
				email: `p${i}@days.example`,
				campaignId: CAMPAIGN,
				score: 3,
				comment,
			});
		}
	}
	async function hour(play: Play): Promise<void> {
		await play.start('Every Hour');
		await play.settle();
	}
	const all = (count: number): Check => {
		return async (play) => {
			answers(play, count);
			await hour(play);
			expect(withTopics(play)).toHaveLength(count);
			await hour(play);
			for (const { feedbackTopics } of feedback(play)) expect(feedbackTopics).toHaveLength(1);
		};
	};
	const refusedBy = (status: number): Check => {
		return async (play) => {
			answers(play, 2);
			play.world.sandbox.a.faults.add({ path: /topics/, kind: refusal(status), times: Infinity });
			await hour(play);
			expect(withTopics(play)).toEqual([]);
			expect(await play.seen()).toMatch(/Feedback \w+: .*(Refused|may have been processed)/);
			play.world.mend();
			await hour(play);
			expect(withTopics(play)).toHaveLength(2);
		};
	};

	return {
		story: stories.commentTopics,
		days: {
			'an empty list': async (play) => {
				feedback(play).length = 0;
				await hour(play);
				expect(play.world.model.calls).toEqual([]);
			},
			'one item': all(1),
			'many items': all(100),
			'quotes, newlines, emoji and HTML': async (play) => {
				play.world.model.calls.length = 0;
				answers(play, 1, `${AWKWARD_TEXT} {topics} {`);
				await hour(play);
				const asked = JSON.stringify(play.world.model.calls.map(({ body }) => body));
				expect(asked).toContain(JSON.stringify(AWKWARD_TEXT).slice(1, -1));
				expect(withTopics(play)).toHaveLength(1);
			},
			'no email': BY_ID,
			'an address in other case': BY_ID,
			'two answers by one person in an hour': 'Each answer gets its own topics',
			'two starts within two seconds': 'Topics that an answer has are not asked for again',
			'a fault of the service': async (play) => {
				await refusedBy(500)(play);
				// The model fails for one comment: the others get their topics, and a person hears of that one.
				answers(play, 3);
				play.world.mailbox.messages.length = 0;
				play.world.model.refusal = { status: 400, times: 1 };
				await hour(play);
				expect(withTopics(play)).toHaveLength(2);
				const [lost] = feedback(play).filter((one) => !withTopics(play).includes(one));
				expect(play.world.mailbox.messages.map(unwrapped).join()).toContain(`Feedback ${lost?.id}`);
				await hour(play);
				expect(withTopics(play)).toHaveLength(3);
			},
			'a change of clocks': MOMENTS_ONLY,
			'an account that is refused for an hour': refusedBy(401),
			'an erased person': BY_ID,
			'a hand in the table': NO_TABLE,
			'a mass update': async (play) => {
				answers(play, 20);
				for (const one of feedback(play)) one.createdDate = '2025-01-01T00:00:00.000Z';
				await hour(play);
				expect(withTopics(play)).toEqual([]);
			},
			'a second import': allByTwoImports,
		},
	};
})();
