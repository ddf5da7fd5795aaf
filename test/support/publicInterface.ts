import type { INodeProperties, INodeType } from 'n8n-workflow';

import { SurveyAApi } from '../../credentials/SurveyAApi.credentials';
import { SurveyBApi } from '../../credentials/SurveyBApi.credentials';
import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node.ts';
import { SURVEY_FIXED as FIXED_A } from '../../nodes/SurveyA/parameters/customerColumns';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';
import { FIXED as FIXED_B } from '../../nodes/SurveyB/parameters/contactColumns';

/** Names of fields with the values that workflows may store for them. */
interface Names {
	[name: string]: string[] | Names;
}

/**
 * Returns all names that saved workflows depend on, a line for each operation and each of its collections. A `*` marks a
 * required field. A default stands behind its field, because n8n stores no value that is the default.
 */
export function publicInterface(): string {
	return linesOf(names(), []).join('\n') + '\n';
}

/** Returns a line with the fields and their values, then the lines of the collections inside. */
function linesOf(names: Names, path: string[]): string[] {
	const plain = Object.entries(names).flatMap(([name, values]) => {
		if (!Array.isArray(values)) return [];
		return [values.length === 0 ? name : `${name} (${values.join(', ')})`];
	});
	const inside = Object.entries(names).flatMap(([name, values]) =>
		Array.isArray(values) ? [] : linesOf(values, [...path, name]),
	);
	return [...(plain.length === 0 ? [] : [`${path.join('.')}: ${plain.join(', ')}`]), ...inside];
}

function names(): Names {
	return {
		credentials: Object.fromEntries(
			[new SurveyAApi(), new SurveyBApi()].map(({ name, properties }) => [
				name,
				properties.map((property) => property.name),
			]),
		),
		columns: {
			surveyA: FIXED_A.map(({ id, required }) => marked(id, required)),
			surveyB: FIXED_B.map(({ id, required }) => marked(id, required)),
		},
		...Object.fromEntries(
			[new SurveyA(), new SurveyATrigger(), new SurveyB(), new SurveyBTrigger()].map(nodeNames),
		),
	};
}

function nodeNames({ description: { name, properties } }: INodeType): [string, Names] {
	const operations = properties.filter((property) => property.name === 'operation');
	if (operations.length === 0) return [name, fieldNames(properties)];
	const resources = operations.map((property): [string, Names] => {
		const resource = String(property.displayOptions?.show?.resource);
		const names = operationNames(properties, resource, valuesOf(property));
		return [resource, { [labelOf(property)]: [], ...names }];
	});
	const resource = properties.filter((property) => property.name === 'resource').map(labelOf);
	return [name, { [String(resource)]: [], ...Object.fromEntries(resources) }];
}

function operationNames(properties: INodeProperties[], resource: string, names: string[]): Names {
	const fieldsOf = (operation: string) =>
		properties.filter(({ displayOptions: { show } = {} }) => {
			const shown = (name: string, value: string) => show?.[name]?.some((one) => one === value);
			return shown('resource', resource) && shown('operation', operation);
		});
	return Object.fromEntries(names.map((name) => [name, fieldNames(fieldsOf(name))]));
}

/** n8n adds Poll Times to a polling trigger's fields while it loads the node. */
const ADDED_BY_N8N = ['pollTimes'];

function fieldNames(properties: INodeProperties[]): Names {
	const stored = properties.filter(
		({ name, type }) => type !== 'notice' && type !== 'callout' && !ADDED_BY_N8N.includes(name),
	);
	return Object.fromEntries(stored.map((property) => [labelOf(property), contentOf(property)]));
}

const marked = (name: string, isRequired?: boolean) => (isRequired ? `${name}*` : name);

/** Returns the name of a field, with its default unless that is empty or a text that the editor fills in. */
function labelOf({ name, required, type, default: preset }: INodeProperties): string {
	const isText = type === 'hidden' || name === 'toolDescription';
	const isPlain = Array.isArray(preset) || typeof preset !== 'object';
	const shown = isText || !isPlain ? '' : String(preset ?? '');
	return marked(name, required) + (shown === '' ? '' : ` = ${shown}`);
}

/** Returns the values of a choice, or the fields inside a collection. */
function contentOf(property: INodeProperties): string[] | Names {
	const options = property.options ?? [];
	if (property.type === 'collection') {
		// n8n stores the entries of a collection also with their defaults.
		const entries = options.flatMap((option) => ('type' in option ? [option] : []));
		return fieldNames(entries.map((entry) => ({ ...entry, default: undefined })));
	}
	if (property.type === 'fixedCollection') {
		return Object.fromEntries(
			options.flatMap((option) =>
				'values' in option ? [[option.name, fieldNames(option.values)]] : [],
			),
		);
	}
	if (property.type === 'resourceLocator') return (property.modes ?? []).map(({ name }) => name);
	return valuesOf(property);
}

function valuesOf({ options = [] }: INodeProperties): string[] {
	return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}
