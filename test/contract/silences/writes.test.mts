import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic } from '../../support/columns';
import { onItsOwnClock } from '../../support/clock.mts';
import { hasNoEnd, testInCombinations } from '../../support/combinations.mts';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// What holds for every write, whichever ways the services take where their contracts are silent: an item without an error
// was done, once.

const sandbox = useSandbox();

const NPS = '64a000000000000000000003';

/** Runs an operation for rows with On Error = Continue. */
async function rows(
	service: 'a' | 'b',
	name: string,
	parameters: INodeParameters,
	input: IDataObject[],
): Promise<IDataObject[]> {
	const settings = { input, onError: 'continueRegularOutput' } as const;
	const { items, error } = await onItsOwnClock(
		async () => await runOperation(sandbox[service], name, parameters, settings),
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(input.length);
	return items;
}

const byRow = { email: '={{ $json.email }}' };
const emails = (...given: string[]) => given.map((email) => ({ email }));
const errorsOf = (items: IDataObject[]) => items.map((item) => errorOf(item));
const customer = (email: string) =>
	sandbox.a.state.customers.get(sandbox.a.state.keyOf(email.trim()));
const contact = (email: string) => sandbox.b.state.contacts.get(sandbox.b.state.keyOf(email));
const surveysTo = (service: 'a' | 'b', email: string) =>
	sandbox[service].state.sent.filter((one) => one.email.toLowerCase() === email).length;

let people = 0;

/** Returns somebody whom this process has not surveyed: Quiet Period knows whom it has. */
const newPerson = () => `new${++people}@example.com`;

describe('Survey A', () => {
	testInCombinations('creates and updates every customer', sandbox, async ({ a }) => {
		const input = Array.from({ length: 25 }, (_, i) => ({
			email: i ? `new${i}@example.com` : 'ada@acme.example',
			firstName: `First ${i}`,
			tags: 'x, y',
			Seats: i,
			Since: '2026-11-21',
		}));
		const options =
			a.dateFormats === 'monthDayYear' ? { dateFormat: 'monthDayYear' } : { dateFormat: 'iso' };
		const items = await rows('a', 'customer.upsert', { ...automatic(), options }, input);
		// A row is confirmed by the response that names it.
		const named = a.savedCustomers === 'firstPage' ? 20 : input.length;
		expect(errorsOf(items).map((error) => error === undefined)).toEqual(
			input.map((_, i) => i < named),
		);
		for (const { email, firstName, Seats } of input) {
			const saved = customer(email);
			const seats = saved?.properties.find(({ label }) => label === 'Seats');
			expect([email, saved?.firstName, seats?.value]).toEqual([email, firstName, Seats]);
		}
	});

	testInCombinations(
		'says a row failed if the service refuses its date',
		sandbox,
		async ({ a }) => {
			const input = [
				{ email: 'one@example.com', Since: '2026-11-21' },
				{ email: 'two@example.com', plan: 'Team' },
			];
			const items = await rows('a', 'customer.upsert', automatic(), input);
			const isRefused = a.dateFormats === 'monthDayYear';
			expect(errorsOf(items).map(Boolean)).toEqual([isRefused, false]);
			// Without the service's words nobody knows what it refuses.
			if (isRefused && a.errors !== 'html') expect(errorsOf(items)[0]).toContain("'Date Format'");
			expect([customer('one@example.com'), customer('two@example.com')].map(Boolean)).toEqual([
				!isRefused,
				true,
			]);
		},
	);

	testInCombinations('unsubscribes whom it says', sandbox, async ({ a }) => {
		const input = emails('ada@acme.example', 'nobody@example.com', 'grace@acme.example');
		const errors = errorsOf(await rows('a', 'customer.unsubscribe', byRow, input)).map(Boolean);
		// Without the service's words the Base URL may be wrong, so that no row is sent again.
		if (a.unknownUnsubscribed === 404 && a.errors === 'html') {
			return expect(errors).toEqual([true, true, true]);
		}
		expect(errors).toEqual([false, a.unknownUnsubscribed !== 'confirmed', false]);
		const { optedOut } = sandbox.a.state;
		expect([...optedOut]).toEqual(
			expect.arrayContaining(['ada@acme.example', 'grace@acme.example']),
		);
	});

	testInCombinations('deletes whom it says', sandbox, async ({ a }) => {
		const input = emails('ada@acme.example', 'nobody@example.com', 'grace@acme.example');
		const errors = errorsOf(await rows('a', 'customer.delete', byRow, input)).map(Boolean);
		if (a.unknownDeleted === 404 && a.errors === 'html') {
			return expect(errors).toEqual([true, true, true]);
		}
		expect(errors).toEqual([false, a.unknownDeleted !== 'confirmed', false]);
		expect(['ada@acme.example', 'grace@acme.example'].map(customer)).toEqual([
			undefined,
			undefined,
		]);
	});

	testInCombinations('sends one survey to each person it names', sandbox, async ({ a }) => {
		sandbox.a.state.optedOut.add('grace@acme.example');
		const good = emails('ada@acme.example', 'new@example.com', 'x@example.com', 'y@example.com');
		const input = [...good, ...emails('grace@acme.example', 'NEW@example.com', 'a@b.c@d.example')];
		const items = await rows('a', 'survey.send', { campaign: NPS, ...automatic() }, input);
		expect(surveysTo('a', 'grace@acme.example')).toBe(0);
		// A refusal that says `success`, or of some rows, may have been processed, so that no row is sent again.
		const isInDoubt =
			a.errors === 'status200' || (a.errors === 'contract' && a.refusedRows === 'all');
		if (a.unsubscribedInSurvey === 400 && isInDoubt) {
			return expect(errorsOf(items.slice(0, 5)).map(Boolean)).not.toContain(false);
		}
		expect(errorsOf(items).map(Boolean)).toEqual([
			...good.map(() => false),
			a.unsubscribedInSurvey === 400,
			false,
			true,
		]);
		expect(items.slice(0, 4).map(({ status }) => status)).toEqual(good.map(() => 'queued'));
		expect(items[5]).toMatchObject({ status: 'skipped' });
		for (const { email } of good) expect([email, surveysTo('a', email)]).toEqual([email, 1]);
	});

	testInCombinations('does not survey again in the quiet period', sandbox, async () => {
		const [campaign] = sandbox.a.state.campaigns;
		const surveyed = sandbox.a.seedCustomers(30);
		// By the clock of the run, which is days ahead of the machine's after many tests.
		await onItsOwnClock(async () => {
			if (campaign) sandbox.a.seedSurveyed(surveyed, { campaign, daysAgo: 3 });
		});
		const options = { quietPeriod: 10, quietPeriodScope: 'anyCampaign' };
		const input = [{ email: surveyed[0]?.email }, { email: newPerson() }];
		const parameters = { campaign: NPS, ...automatic(), options };
		const items = await rows('a', 'survey.send', parameters, input);
		expect(items.map(({ status }) => status)).toEqual(['skipped', 'queued']);
	});

	testInCombinations(
		'surveys everybody in a new account with a quiet period',
		sandbox,
		async () => {
			sandbox.a.state.customers.clear();
			sandbox.a.state.outbox = [];
			const options = { quietPeriod: 10, quietPeriodScope: 'anyCampaign' };
			const parameters = { campaign: NPS, ...automatic(), options };
			const items = await rows('a', 'survey.send', parameters, emails(newPerson()));
			expect(items.map(({ status }) => status)).toEqual(['queued']);
		},
	);

	testInCombinations(
		'sets the tags and topics of the response it names',
		sandbox,
		async ({ a }) => {
			const [first] = sandbox.a.state.feedback;
			const input = [{ id: first?.id }, { id: '64a0000000000000000fffff' }];
			const byId = { feedbackId: '={{ $json.id }}', update: 'replace' };
			const tagged = await rows('a', 'feedback.setTags', { ...byId, tags: 'p, q' }, input);
			const topics = { topic: [{ name: 'Price', sentiment: 'negative' }] };
			const named = await rows('a', 'feedback.setTopics', { ...byId, topics }, input);
			const isRefused = a.unknownResponse !== 200;
			expect(errorsOf(tagged).map(Boolean)).toEqual([false, isRefused]);
			expect(errorsOf(named).map(Boolean)).toEqual([false, isRefused]);
			expect(first).toMatchObject({
				feedbackTags: ['p', 'q'],
				feedbackTopics: [{ name: 'Price' }],
			});
		},
	);

	testInCombinations('gets the record it is asked for, or fails', sandbox, async () => {
		const [ada] = [...sandbox.a.state.customers.values()];
		const [company] = sandbox.a.state.companies;
		const [feedback] = sandbox.a.state.feedback;
		const wanted: Array<[name: string, parameters: INodeParameters, id?: string]> = [
			['customer.get', { customerId: { __rl: true, mode: 'id', value: ada?.id } }, ada?.id],
			['customer.get', { customerId: { __rl: true, mode: 'email', value: ada?.email } }, ada?.id],
			['company.get', { company: { __rl: true, mode: 'id', value: company?.id } }, company?.id],
			['feedback.get', { feedbackId: feedback?.id }, feedback?.id],
			['customer.get', { customerId: { __rl: true, mode: 'email', value: 'no@example.com' } }],
			['feedback.get', { feedbackId: '64a0000000000000000fffff' }],
			['report.get', { campaign: '64a0000000000000000fffff' }],
		];
		for (const [name, parameters, id] of wanted) {
			const [item] = await rows('a', name, { simplify: false, ...parameters }, [{}]);
			expect([name, parameters, item?.id ?? Boolean(errorOf(item ?? {}))]).toEqual([
				name,
				parameters,
				id ?? true,
			]);
		}
	});

	testInCombinations('returns the headline score of each metric', sandbox, async ({ a }) => {
		for (const metric of ['nps', 'csat', 'ces', 'star']) {
			const [item = {}] = await rows('a', 'score.get', { metric }, [{}]);
			const isEmpty = metric === 'ces' || metric === 'star';
			if (isEmpty && a.emptyScore === 404) expect(errorOf(item)).toBeDefined();
			else
				expect([metric, isEmpty ? item.score : typeof item.score]).toEqual([
					metric,
					isEmpty ? a.emptyScore : 'number',
				]);
		}
	});
});

describe('Survey B', () => {
	testInCombinations('creates and updates every contact', sandbox, async () => {
		const input = [
			{ email: 'grace@acme.example', firstName: 'G', seats: 30 },
			{ email: 'new@example.com', firstName: 'N', plan: 'pro' },
		];
		const items = await rows('b', 'contact.upsert', automatic(), input);
		expect(errorsOf(items)).toEqual([undefined, undefined]);
		expect(contact('grace@acme.example')).toMatchObject({ first_name: 'G' });
		expect(contact('new@example.com')).toMatchObject({ attributes: { plan: 'pro' } });
	});

	testInCombinations('unsubscribes whom it says', sandbox, async ({ b }) => {
		const input = emails('ada@acme.example', 'nobody@example.com', 'grace@acme.example');
		const errors = errorsOf(await rows('b', 'contact.unsubscribe', byRow, input));
		const [ada, nobody, grace] = errors;
		if (b.unknownUnsubscribed === 400 && b.errors === 'status200') {
			return expect(errors.map(Boolean)).toEqual([true, true, true]);
		}
		// A row is confirmed by the response that names it, or by the contact itself.
		expect([ada, grace]).toEqual([undefined, undefined]);
		expect(contact('ada@acme.example')?.unsubscribed).toBe(true);
		expect(contact('grace@acme.example')?.unsubscribed).toBe(true);
		if (!nobody) expect(contact('nobody@example.com')?.unsubscribed).toBe(true);
	});

	testInCombinations('removes whom it says', sandbox, async () => {
		const input = emails('ada@acme.example', 'nobody@example.com');
		const [ada] = errorsOf(await rows('b', 'contact.delete', byRow, input));
		expect(ada).toBeUndefined();
		expect(contact('ada@acme.example')).toBeUndefined();
	});

	testInCombinations('sends one survey to each person it names', sandbox, async ({ b }) => {
		const input = emails('ada@acme.example', 'unsubscribed@example.com', 'new@example.com');
		const parameters = { campaignId: '101', ...automatic() };
		const items = await rows('b', 'survey.send', parameters, input);
		expect(errorsOf(items).map(Boolean)).toEqual([false, true, false]);
		const again = await rows('b', 'survey.send', parameters, emails('ada@acme.example'));
		expect(errorsOf(again).map(Boolean)).toEqual([true]);
		const skipping = { ...parameters, options: { ineligible: 'skip' } };
		const skipped = await rows('b', 'survey.send', skipping, input);
		// Without the words of the contract nobody knows why the service refuses.
		if (b.errors === 'contract') {
			expect(skipped.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped']);
		}
		for (const { email } of input) {
			expect([email, surveysTo('b', email)]).toEqual([
				email,
				email === 'unsubscribed@example.com' ? 0 : 1,
			]);
		}
		const unknown = { campaignId: '999', ...automatic() };
		const [failed = {}] = await rows('b', 'survey.send', unknown, emails('z@example.com'));
		expect(errorOf(failed)).toBeDefined();
	});

	testInCombinations('changes the feedback it names, once', sandbox, async ({ b }) => {
		const [feedback] = sandbox.b.state.feedback;
		const byId = { feedbackId: String(feedback?.id) };
		const change = async (name: string, parameters: INodeParameters) => {
			const [item = {}] = await rows('b', `feedback.${name}`, { ...byId, ...parameters }, [{}]);
			return errorOf(item) === undefined;
		};
		const ok = async (name: string, parameters: INodeParameters, isDone = true) =>
			expect([name, await change(name, parameters)]).toEqual([name, isDone]);
		const tag = { tagName: 'late', tagCategory: 'PASSIVE' };
		await ok('addTag', tag);
		// An error that says that the tag exists is no failure.
		await change('addTag', tag);
		const forward = { fromUser: 'agent@example.com', to: 'lead@example.com' };
		await ok('forward', { ...forward, fromUser: 'stranger@example.com' }, false);
		await ok('updateStatus', { status: 'CLOSED' });
		await ok('forward', forward, !b.closedIsComplete);
		const reply = { fromUser: 'agent@example.com', message: 'Thanks' };
		await ok('reply', reply);
		await ok('reply', reply, false);
		await ok('get', {});
		await ok('delete', {});
		await ok('get', {}, false);
		expect(feedback?.tags.filter(({ name }) => name === 'late')).toHaveLength(1);
		expect(sandbox.b.state.replies).toHaveLength(1);
	});

	testInCombinations(
		'filters feedback by its day, whatever the service does',
		sandbox,
		async (ways) => {
			sandbox.b.seedFeedback(5);
			const { feedback } = sandbox.b.state;
			for (const [i, one] of feedback.entries()) {
				one.created = `2026-11-0${1 + (i % 5)}T12:00:00.000000Z`;
				one.score_changed = one.created;
			}
			const filters = { postedAfter: '2026-11-02', postedBefore: '2026-11-04' };
			const parameters = { returnAll: true, simplify: false, filters };
			const { items, error } = await onItsOwnClock(
				async () => await runOperation(sandbox.b, 'feedback.getAll', parameters),
			);
			if (error && hasNoEnd(ways)) return;
			expect(error).toBeUndefined();
			const wanted = feedback.filter(({ created }) => /2026-11-0[23]/.test(created));
			expect(items.map(({ id }) => Number(id)).sort()).toEqual(wanted.map(({ id }) => id).sort());
		},
	);
});
