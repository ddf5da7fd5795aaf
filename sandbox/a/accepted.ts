import { isEmail, type CustomerInput } from './input';
import { invalid, invalidAddresses } from './refusals';
import type { SettingsA } from './settings';
import type { ContextA, StateA } from './state';

type PropertyInput = NonNullable<CustomerInput['properties']>[number];

const DATE_FORMS: Record<SettingsA['dateFormats'], RegExp> = {
	any: /^/,
	iso: /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/,
	monthDayYear: /^(0?[1-9]|1[0-2])\/(0?[1-9]|[12]\d|3[01])\/\d{4}$/,
};

/** Returns the type of a property that a customer has, if any; `text` is written as `string`. */
function typeOf(state: StateA, label: string): string | undefined {
	for (const { properties } of state.customers.values()) {
		const known = properties.find((property) => property.label === label);
		if (known) return known.type === 'text' ? 'string' : known.type;
	}
	return undefined;
}

function requireValidProperty({ state, settings }: ContextA, property: PropertyInput): void {
	const { label, type, value } = property;
	if (type === 'date' && value !== '' && !DATE_FORMS[settings.dateFormats].test(value)) {
		throw invalid(`"${label}" must be a valid date`);
	}
	const isText = (entry: unknown) => typeof entry === 'string';
	if (Array.isArray(value) && settings.collections === 'texts' && !value.every(isText)) {
		throw invalid(`"${label}" must contain strings`);
	}
	if (settings.changedTypes === 400 && (typeOf(state, label) ?? type) !== type) {
		throw invalid(`"${label}" has another type`);
	}
}

function requireNoRepeats({ state, settings }: ContextA, subscribers: CustomerInput[]): void {
	const keys = subscribers.map(({ email }) => state.keyOf(email));
	if (settings.emailTwice === 400 && new Set(keys).size < keys.length) {
		throw invalid('"subscribers" contains a duplicate value');
	}
}

function row(input: CustomerInput, status: string, reason: string): object {
	const { email, first_name, last_name, company, tags } = input;
	return { status, email, first_name, last_name, company, tags, reason };
}

/** Refuses the whole request if rows fail. The response names rows as the settings say. */
function requireRows(
	{ refusedRows }: SettingsA,
	subscribers: CustomerInput[],
	reasonOf: (input: CustomerInput) => string | undefined,
): void {
	const bad = subscribers.filter((input) => reasonOf(input));
	if (bad.length === 0) return;
	const named = refusedRows === 'all' ? subscribers : bad;
	const rows = named.map((input) => {
		const reason = reasonOf(input);
		return row(input, reason ? 'fail' : 'success', reason ?? '');
	});
	throw invalidAddresses(refusedRows === 'none' ? null : rows);
}

/** Returns the rows of a request that the service takes. Throws a Refusal if it refuses the request. */
export function acceptedRows(
	context: ContextA,
	subscribers: CustomerInput[],
	request: 'save' | 'survey',
): CustomerInput[] {
	const { state, settings } = context;
	requireNoRepeats(context, subscribers);
	for (const { properties = [] } of subscribers) {
		for (const property of properties) requireValidProperty(context, property);
	}
	const isRefused = request === 'survey' || settings.invalidEmails === 'refused';
	const isUnsubscribed = ({ email }: CustomerInput) =>
		request === 'survey' &&
		settings.unsubscribedInSurvey === 400 &&
		state.optedOut.has(state.keyOf(email));
	requireRows(settings, subscribers, (input) => {
		if (isRefused && !isEmail(input.email)) return 'Invalid email address';
		return isUnsubscribed(input) ? 'Customer has unsubscribed' : undefined;
	});
	if (settings.invalidEmails !== 'leftOut') return subscribers;
	return subscribers.filter(({ email }) => isEmail(email));
}
