import { isObject } from '../../../nodes/shared/base/json';
import { EVENT_LISTS } from '../../../nodes/SurveyA/trigger/pollingTrigger';
import { itemJson } from '../../../nodes/shared/polling/poll';
import { previews } from '../../../scripts/previews.mts';
import type { Preview } from '../../../scripts/previews.mts';
import { freshSample, operationNames, runSample, samplesOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// The previews of the editor, compared with what the nodes return.

const sandbox = useSandbox();
const all = previews();

function preview(path: string): Preview {
	const found = all.get(path);
	if (found === undefined) throw new Error(`There is no preview ${path}`);
	return found;
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

/** Objects whose names the account decides: their preview has no properties. */
const OPEN =
	/\.(answers|properties|ratingDistribution|attributes\.\w+)$|(contact\.\w+|survey)\.attributes$/;

/** Returns where a value has another type than its preview, or a field that the preview lacks. */
function differences(value: unknown, { type, properties, items }: Preview, path: string): string[] {
	if (value === null || value === undefined) return [];
	if (typeOf(value) !== type) return [`${path} is ${typeOf(value)}, and ${type} in the preview`];
	if (Array.isArray(value)) {
		return value.flatMap((one) => (items ? differences(one, items, `${path}[]`) : []));
	}
	if (!isObject(value) || OPEN.test(path)) return [];
	return Object.entries(value).flatMap(([name, inside]) => {
		const known = properties?.[name];
		return known
			? differences(inside, known, `${path}.${name}`)
			: [`${path}.${name} is not in the preview`];
	});
}

test('each operation and both triggers have a preview', () => {
	const names = [...operationNames.surveyA, ...operationNames.surveyB];
	expect(all.size).toBe(names.length + 2);
});

/** Only a row that is skipped, or was sent without an attribute, has these. */
const SKIPPED_OR_REFUSED = ['reason', 'duplicateOfItem', 'skippedAttributes', 'details'];

/** Fields of previews that an operation may leave out: a row has what is mapped. */
const OTHERS: Record<string, string[]> = {
	'customer.checkSurvey': ['sentDate', 'campaignId', 'campaign'],
	'survey.send': SKIPPED_OR_REFUSED,
	'survey.sendAudienceLegacy': SKIPPED_OR_REFUSED,
	'survey.sendLegacy': ['first_name', 'last_name', 'company', 'tags', ...SKIPPED_OR_REFUSED],
	'contact.unsubscribe': ['unsubscribed'],
	'contact.upsert': ['skippedAttributes'],
	'feedback.addTag': ['alreadyTagged'],
};

test('each operation returns the fields and types of its preview', async () => {
	const found: string[] = [];
	for (const index of samplesOf(sandbox).keys()) {
		const sample = freshSample(sandbox, index);
		Object.assign(sandbox.b.settings, {
			hookDeletion: 204,
			idsAsText: false,
			unsubscribedAsText: false,
		});
		const { node, name, parameters } = sample;
		const { items, error } = await runSample(sandbox, sample);
		expect({ name, error }).toEqual({ name, error: undefined });
		const folder = node === 'surveyA' ? 'SurveyA' : 'SurveyB';
		const path = `${folder}/__schema__/v1.0.0/${parameters.resource}/${parameters.operation}.json`;
		const shown = preview(path);
		const returned = items.flatMap((json) => Object.keys(json)).concat(OTHERS[name] ?? []);
		const missing = Object.keys(shown.properties ?? {}).filter(
			(field) => !returned.includes(field),
		);
		found.push(
			...items.flatMap((json) => differences(json, shown, name)),
			...missing.map((field) => `${name} returns no ${field}`),
		);
	}
	// A property has a value of any type, of which the preview shows text.
	expect(found.filter((text) => !text.includes('.properties[].value '))).toEqual([]);
});

test('Survey A Trigger returns the fields and types of its preview', () => {
	const [data] = sandbox.a.state.feedback;
	const [item = {}] = EVENT_LISTS.filter(({ value }) => value === 'feedback.created').map((list) =>
		itemJson({ list, data: { ...data } }, { simplify: true }),
	);
	const shown = preview('SurveyA/__schema__/v1.0.0.json');
	expect(Object.keys(item)).toEqual(Object.keys(shown.properties ?? {}));
	expect(differences(item, shown, 'trigger')).toEqual([]);
});
