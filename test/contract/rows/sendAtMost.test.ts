import { automatic, people } from '../../support/columns';
import { useRunner } from '../surveyA/runner';

const runnerA = useRunner();

const input = [...people(3), { email: 'PERSON2@example.com', Tier: 'pro' }, ...people(4, 4)];

const expected = ['sent', 'sent', 'sent', 'skipped', 'sent', 'skipped', 'skipped', 'skipped'];

test.each([false, true])(
	'Survey A: rows over Send at Most come out as skipped with the reason (Dry Run: %s)',
	async (dryRun) => {
		const { items, hints } = await runnerA.run(
			'survey.send',
			{
				campaign: runnerA.campaign('After purchase'),
				...automatic(),
				options: { sendAtMost: 4, dryRun },
			},
			{ input },
		);
		expect(runnerA.service.state.sent).toHaveLength(dryRun ? 0 : 4);
		expect(items.map(({ status }) => (status === 'skipped' ? status : 'sent'))).toEqual(expected);
		expect(items[3]).toMatchObject({ reason: 'Same email as item 1', duplicateOfItem: 1 });
		expect(items[5]).toMatchObject({ email: 'person5@example.com', reason: "'Send at Most' is 4" });
		expect(hints).toContain('Rows that were skipped: 1 (duplicate), 3 (overLimit)');
		expect(hints.join()).not.toContain('New in Survey A');
	},
);
