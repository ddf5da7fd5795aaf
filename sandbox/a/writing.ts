import type { Company, Customer, Property } from './records';
import type { CustomerInput } from './input';
import { findCustomer, nextId, type StateA } from './state';

function machineName(label: string): string {
	return label
		.trim()
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '_');
}

function mergeProperties(held: Property[], given: CustomerInput['properties']): Property[] {
	const merged = new Map(held.map((property) => [property.name, property]));
	for (const { label, type, value } of given ?? []) {
		const name = machineName(label);
		// A property that the service reads as `text` is written as `string`.
		const isText = type === 'string' && merged.get(name)?.type === 'text';
		merged.set(name, { label, name, type: isText ? 'text' : type, value });
	}
	return [...merged.values()];
}

/** Returns the company with this name; creates it if necessary. */
export function companyNamed(state: StateA, name: string, createdDate: string): Company {
	const known = state.companies.find(({ companyName }) => companyName === name);
	if (known) return known;
	const company: Company = {
		id: nextId(state),
		createdDate,
		domain: `${machineName(name).replace(/_/g, '-')}.example`,
		companyName: name,
		industryName: '',
		tags: [],
		cxMetrics: { NPS: null, CSAT: null, CES: null, STAR: null },
		contactsCount: 0,
	};
	state.companies.push(company);
	return company;
}

function joinCompany(state: StateA, customer: Customer, name: string): void {
	if (customer.companyName === name) return;
	const company = companyNamed(state, name, customer.createdDate);
	company.contactsCount = company.contactsCount + 1;
	customer.companyName = name;
	customer.companyId = company.id;
}

/** Creates or updates a customer. Fields missing from the input stay as they are. */
export function placeCustomer(
	state: StateA,
	input: CustomerInput,
	createdDate = state.clock.now(),
): Customer {
	const customer: Customer = findCustomer(state, input.email) ?? {
		id: nextId(state),
		email: input.email,
		...{ firstName: '', lastName: '', companyName: '', companyId: '' },
		...{ tags: [], properties: [] },
		createdDate,
	};
	state.customers.set(state.keyOf(input.email), customer);
	const { emptyTexts, tagsOfUpdate } = state.settings;
	const isGiven = (text: string | undefined) =>
		text !== undefined && (text !== '' || emptyTexts === 'clear');
	if (isGiven(input.first_name)) customer.firstName = input.first_name ?? '';
	if (isGiven(input.last_name)) customer.lastName = input.last_name ?? '';
	if (input.tags !== undefined) {
		const held = tagsOfUpdate === 'added' ? customer.tags : [];
		customer.tags = [...new Set([...held, ...input.tags])];
	}
	if (input.company) joinCompany(state, customer, input.company);
	customer.properties = mergeProperties(customer.properties, input.properties);
	return customer;
}

/** Deletes a customer, and what it has done if the settings say so. Returns false if there is none. */
export function removeCustomer(state: StateA, email: string): boolean {
	const isOther = (one: { email: string }) => state.keyOf(one.email) !== state.keyOf(email);
	if (state.settings.historyOfDeleted === 'goes') {
		state.feedback = state.feedback.filter(isOther);
		state.outbox = state.outbox.filter(isOther);
	}
	const company = state.companies.find(({ id }) => id === findCustomer(state, email)?.companyId);
	if (company) company.contactsCount = company.contactsCount - 1;
	return state.customers.delete(state.keyOf(email));
}
