import { EXAMPLES, readExample } from '../../support/examples.mts';
import { refuse } from './disturbances.mts';
import type { Play, Story } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';
import type { Moment, Point } from './world.mts';

// What the examples do outside of n8n, and where n8n is killed.

/** Something that an example does outside of n8n, by one request of a node. */
export interface Effect extends Point {
	node: string;
	/** Default: all. */
	moments?: Moment[];
	/** What has to go wrong so that it happens. */
	needs?: (play: Play) => void;
	/** What the example's notes allow to come twice if it was under way. */
	mayComeTwice?: string[];
	/** What the notes say comes again by Retry or by a repeated delivery. */
	comesAgain?: string[];
}

interface Killed {
	story: Story;
	effects: Effect[];
}

const survey = (node: string, at: 'a' | 'b', more: Partial<Effect> = {}): Effect => ({
	...{ node, at, request: /survey\/?$/ },
	...more,
});

const crm = (node: string, more: Partial<Effect> = {}): Effect => ({
	...{ node, at: 'crm', request: new RegExp(`/${node.toLowerCase().replaceAll(' ', '-')}$`) },
	...more,
});

const feedback = (node: string, request: RegExp, more: Partial<Effect> = {}): Effect => ({
	...{ node, at: 'b', request },
	...more,
});

const mail = (node: string, more: Partial<Effect> = {}): Effect => ({
	...{ node, at: 'mail', request: /^Subject:/m },
	...more,
});

/** The mail of an example whose account is refused. */
const told = (account: 'service' | 'crm' = 'service'): Effect =>
	mail('Tell a Person', { needs: (play) => refuse(play, 401, account) });

/** The mail of an example of which only some requests are refused. */
const toldOf = (service: 'a' | 'b', requests: { method?: string; path: RegExp }): Effect =>
	mail('Tell a Person', {
		needs: ({ world }) =>
			world.sandbox[service].faults.add({ ...requests, kind: refusal(401), times: Infinity }),
	});

/** All examples with what they do outside of n8n. */
export const KILLED: Killed[] = [
	{
		story: stories.crmEventA,
		effects: [survey('Send Survey', 'a'), survey('Send Survey', 'a', { skip: 1 }), told()],
	},
	{ story: stories.crmEventB, effects: [survey('Send Survey', 'b'), told()] },
	{
		story: stories.queue,
		effects: [survey('Send by Survey A', 'a'), told()],
	},
	{ story: stories.queueB, effects: [survey('Send by Survey B', 'b')] },
	{ story: stories.hubspotDealWon, effects: [survey('Send Survey', 'a'), told()] },
	{ story: stories.salesforce, effects: [survey('Send Survey', 'b', { skip: 1 }), told()] },
	{
		story: stories.zendeskSolved,
		effects: [
			survey('Send Survey', 'b', { skip: 1 }),
			crm('Mark as Surveyed', { skip: 1 }),
			told(),
		],
	},
	{
		story: stories.backfill,
		effects: [{ node: 'Create or Update Customers', at: 'a', request: /customers$/ }],
	},
	{
		story: stories.routeDetractors,
		effects: [
			crm('Alert Team', { mayComeTwice: ['alert'] }),
			crm('Open Ticket', { mayComeTwice: ['ticket ada@days.example'] }),
			feedback('Reply', /reply/),
			feedback('Tag Feedback', /tag/),
			feedback('Close Feedback', /feedback\/\d+\/$/),
			told(),
		],
	},
	{ story: stories.routeDetractorsMissed, effects: [mail('Tell a Person')] },
	{ story: stories.zendesk, effects: [crm('Open Ticket'), told('crm')] },
	{ story: stories.zendeskNote, effects: [crm('Add to Ticket')] },
	{
		story: stories.closedLoop,
		effects: [
			mail('Remind the Owner', {
				request: /^Subject: Detractor due/m,
				mayComeTwice: ['reminder'],
			}),
			toldOf('b', { method: 'GET', path: /feedback\/\d+/ }),
		],
	},
	{
		story: stories.closedLoopLate,
		effects: [
			mail('Tell the Manager', {
				request: /^Subject: Detractor late/m,
				mayComeTwice: ['escalation'],
			}),
		],
	},
	{
		story: stories.slack,
		effects: [
			crm('Ask in Slack', { comesAgain: ['ask'] }),
			feedback('Reply', /reply/, { comesAgain: ['ask'] }),
		],
	},
	{
		story: stories.agentTriage,
		effects: [
			feedback('Tag Topic', /tag/, { after: 2 }),
			// Then the run waits for the click, and no node is under way.
			mail('Ask a Person', { moments: ['before', 'in'] }),
			feedback('Reply to Feedback', /reply/, { after: 3 }),
		],
	},
	{
		story: stories.promoter,
		effects: [
			{ node: 'Mark as Referrer', at: 'b', request: /contacts/ },
			feedback('Thank the Promoter', /reply/),
			feedback('Close Feedback', /feedback\/\d+\/$/),
			told(),
		],
	},
	{
		story: stories.oneRunPerChange,
		// A step that was under way is one of the run that is retried.
		effects: [feedback('Tag Feedback', /tag/, { mayComeTwice: ['tag'] })],
	},
	{ story: stories.hubspotLastAnswer, effects: [crm('Write to Contact', { skip: 1 })] },
	{
		story: stories.optOuts,
		effects: [
			{ node: 'Unsubscribe in Survey A', at: 'a', request: /unsubscribe/ },
			crm('Write to Contact'),
			told('crm'),
		],
	},
	{
		story: stories.optOutsOfA,
		effects: [{ node: 'Unsubscribe in Survey B', at: 'b', request: /unsubscribe/ }],
	},
	{
		story: stories.stopReply,
		effects: [
			{ node: 'Unsubscribe in Survey A', at: 'a', request: /unsubscribe/ },
			{ node: 'Unsubscribe in Survey B', at: 'b', request: /unsubscribe/ },
			told(),
		],
	},
	{ story: stories.unclearReply, effects: [mail('Forward to a Person')] },
	{
		story: stories.detractorsAgain,
		effects: [survey('Send Survey', 'b', { skip: 1 }), toldOf('b', { path: /survey\/?$/ })],
	},
	{
		story: stories.promoterToReview,
		effects: [
			mail('Ask for a Review', { request: /^Subject: Would you/m, skip: 1 }),
			toldOf('b', { method: 'GET', path: /contacts/ }),
		],
	},
	{
		story: stories.commentTopics,
		effects: [
			{ node: 'Set Topics', at: 'a', request: /topics$/, skip: 1 },
			toldOf('a', { path: /topics$/ }),
		],
	},
	{
		story: stories.erase,
		effects: [
			mail('Ask for Approval'),
			feedback('Delete Feedback', /feedback\/\d+\/$/),
			{ node: 'Delete Customer', at: 'a', request: /customers$/ },
			{ node: 'Delete Contact', at: 'b', request: /contacts\/remove/ },
			mail('Send Receipt', { request: /^Subject: .*rased/m }),
		],
	},
	{ story: stories.npsHistory, effects: [mail('Send Report')] },
	{ story: stories.npsImportRefused, effects: [mail('Tell a Person')] },
	{ story: stories.sheets, effects: [crm('Add to Sheet')] },
	{ story: stories.whoWasSurveyed, effects: [mail('Tell a Person')] },
	{ story: stories.account, effects: [mail('Send Report')] },
	{ story: stories.weekly, effects: [mail('Send Report')] },
	{ story: stories.responseRate, effects: [mail('Send Report')] },
];

const LIKE_REPLY = 'A tool of the same agent behind the same approval as Reply to Feedback';
const IN_POSTGRES =
	'It writes to PostgreSQL by the ID of each row: awkwardDays/exports.mts runs it twice';

const NOT_OUTSIDE = 'It remembers in its own database what Tag Feedback does';

/** Why n8n is not killed at these nodes. */
const NOT_KILLED: Record<string, Record<string, string>> = {
	'agent-triage': {
		'Forward Feedback': LIKE_REPLY,
		'Send Survey': LIKE_REPLY,
		'Delete Feedback': LIKE_REPLY,
		'Tell a Person': 'It names a tool that failed, which ends no run',
	},
	'backfill-customers': {
		'Try the Others Once More': 'The same request as Create or Update Customers',
	},
	'one-run-per-change': {
		'Claim the Change': NOT_OUTSIDE,
		'Mark as Done': NOT_OUTSIDE,
		'Make Sure the Table Exists': NOT_OUTSIDE,
		'Forget Old Changes': NOT_OUTSIDE,
	},
	'nightly-feedback-export': {
		'Make Sure the Table Exists': IN_POSTGRES,
		'Save to PostgreSQL': IN_POSTGRES,
		'Delete What Is Gone': IN_POSTGRES,
	},
};

const READS = ['get', 'getAll', 'search', 'query', 'checkSurvey'];
const OUTSIDE =
	/\.(survey[AB]|emailSend|httpRequest|hubspot|salesforce|zendesk|slack|googleSheets|postgres)(Hitl)?(Tool)?$/;

/** Returns the nodes that act outside of n8n and are not in these tables. */
export function effectsLeftOut(): string[] {
	return EXAMPLES.flatMap((example) => {
		const effects = KILLED.flatMap(({ story, effects }) =>
			story.name === example || story.files?.includes(example) ? effects : [],
		);
		const known = [...effects.map(({ node }) => node), ...Object.keys(NOT_KILLED[example] ?? {})];
		return readExample(example)
			.nodes.filter(({ type, parameters }) => {
				return OUTSIDE.test(type) && !READS.includes(String(parameters?.operation));
			})
			.filter(({ name }) => !known.includes(name))
			.map(({ name }) => `${example}: ${name}`);
	});
}
