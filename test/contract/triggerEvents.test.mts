import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node';
import { SAMPLES_OF_A, SAMPLES_OF_B } from '../support/eventSamples';
import { fileText } from '../support/files.mts';
import {
	a,
	AT_ONCE,
	credential,
	PolledWorkflow,
	withServiceA,
} from './surveyATrigger/polledWorkflow.mts';
import { n8n, useEmulatedN8n } from './surveyBTrigger/emulatedN8n';

// Each event that can be chosen, with its sample.

const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

function eventsOf({ properties }: INodeTypeDescription): string[] {
	const { options = [] } = properties.find(({ name }) => name === 'events') ?? {};
	return options.filter(isChoice).map(({ value }) => String(value));
}

const EVENTS_OF_A = eventsOf(new SurveyATrigger().description);
const EVENTS_OF_B = eventsOf(new SurveyBTrigger().description);
const HOUR = 60 * 60 * 1000;

test('every event that can be chosen has a sample', () => {
	expect(Object.keys(SAMPLES_OF_A).sort()).toEqual([...EVENTS_OF_A].sort());
	expect(Object.keys(SAMPLES_OF_B).sort()).toEqual([...EVENTS_OF_B].sort());
});

describe('Survey A Trigger', () => {
	withServiceA();

	test.each(EVENTS_OF_A)(
		'%s starts one run for a record that came after the publish',
		async (event) => {
			const workflow = new PolledWorkflow(credential());
			await workflow.publish({ events: [event], options: AT_ONCE });
			const { id } = Object(SAMPLES_OF_A[event]?.(a));
			await workflow.poll();
			await workflow.poll();
			expect(workflow.came).toEqual([`${event} ${String(id)}`]);
		},
	);

	test.each(EVENTS_OF_A)('%s has the date by which Start Date decides', async (event) => {
		const { id } = Object(SAMPLES_OF_A[event]?.(a));
		for (const [hours, isIn] of [
			[-1, true],
			[1, false],
		] as const) {
			const workflow = new PolledWorkflow(credential());
			const startDate = new Date(Date.now() + hours * HOUR).toISOString();
			await workflow.publish({ events: [event], options: { ...AT_ONCE, startDate } });
			await workflow.poll();
			expect(workflow.came.includes(`${event} ${String(id)}`)).toBe(isIn);
		}
	});

	test.each(EVENTS_OF_A)('%s is in the README, the CHANGELOG and the description', (event) => {
		const [noun = ''] = event.split('.');
		const pages = ['README.md', 'CHANGELOG.md'].map((page) => {
			const lines = fileText(page).split('\n');
			return lines.find((line) => /^(- )?\*\*Survey A Trigger\*\* polls/.test(line)) ?? '';
		});
		for (const text of [...pages, new SurveyATrigger().description.description]) {
			expect(text.replaceAll('companies', 'company')).toContain(noun);
		}
	});
});

describe('Survey B Trigger', () => {
	useEmulatedN8n();

	test.each(EVENTS_OF_B)('%s starts one run, whose item has no issues', async (event) => {
		const data = SAMPLES_OF_B[event]?.(n8n.service);
		await n8n.publish(n8n.node({ events: [event], simplify: true }));
		await n8n.service.deliver(event, data);
		await n8n.service.deliver(event, data);
		const items = n8n.runs.flatMap(({ outputs }) => outputs.flat());
		expect(items).toEqual([expect.objectContaining({ event, deliveryId: expect.any(String) })]);
		expect(items[0]).not.toHaveProperty('issues');
	});

	test.each(EVENTS_OF_B)('%s has its row in docs/deliveries.md', (event) => {
		expect(fileText('docs/deliveries.md')).toContain(`\`${event}\``);
	});
});
