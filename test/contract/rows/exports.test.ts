import { EXPORTS, toSurveyA, toSurveyB, ZONE } from '../../support/exports';
import { useBench as useBenchA } from '../surveyA/bench';
import { useBench as useBenchB } from '../surveyB/bench';

// Rows as an Edit Fields node, a spreadsheet or a CSV file hands them to Send.

const benchA = useBenchA();
const benchB = useBenchB();

describe.each(Object.entries(EXPORTS))('a row of %s', (_, exported) => {
	const more = { input: [exported.row], timezone: ZONE };

	test('is what Send gives Survey A', async () => {
		const { parameters, body } = toSurveyA(exported, benchA.campaign('After purchase'));
		const { error, hints } = await benchA.run('survey.send', parameters, more);
		expect(error).toBeUndefined();
		const written = benchA.service.requests.filter(({ method }) => method === 'POST');
		expect(written.map(({ rawBody }) => rawBody)).toEqual([body]);
		expect(hints).toEqual(exported.hints);
	});

	test('is what Send gives Survey B', async () => {
		const { parameters, body } = toSurveyB(exported);
		const { error } = await benchB.run('survey.send', parameters, more);
		expect(error).toBeUndefined();
		expect(benchB.service.requests.map(({ rawBody }) => rawBody)).toEqual([body]);
	});
});
