import type { INodeProperties, INodeType } from 'n8n-workflow';

import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node.ts';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';

/** What saved workflows hold of one field: everything but its texts. */
interface Field {
	type: string;
	default: unknown;
	/** The values of a choice. */
	values?: unknown[];
}

/** The fields of all nodes as workflows of 0.1.0 see them, by node, by where they are shown, and by their path of names. */
export function publicInterface(): Record<string, Field> {
	const nodes: INodeType[] = [
		new SurveyA(),
		new SurveyATrigger(),
		new SurveyB(),
		new SurveyBTrigger(),
	];
	return Object.fromEntries(
		nodes.flatMap(({ description: { name, properties } }) => fieldsOf(properties, [name])),
	);
}

function fieldsOf(properties: INodeProperties[], path: string[]): Array<[string, Field]> {
	const ofFirstVersion = properties.filter(
		({ displayOptions }) => !displayOptions?.hide?.['@version']?.includes(1),
	);
	return ofFirstVersion.flatMap((property) => {
		// A field that one way to map rows has is the same field in workflows that know no other way.
		const conditions = Object.entries(property.displayOptions?.show ?? {});
		const show = conditions
			.flatMap(([name, values]) => (name === 'dataMode' ? [] : (values ?? [])))
			.filter((value) => typeof value === 'string');
		const here = path.length === 1 ? [...path, ...show, property.name] : [...path, property.name];
		return [[here.join(' › '), fieldOf(property)], ...insideOf(property, here)];
	});
}

function fieldOf({ type, default: preset, options }: INodeProperties): Field {
	const values = (options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
	return { type, default: preset, ...(values.length > 0 ? { values } : {}) };
}

function insideOf({ options }: INodeProperties, path: string[]): Array<[string, Field]> {
	return (options ?? []).flatMap((option) => {
		if ('values' in option) return fieldsOf(option.values, [...path, option.name]);
		return 'type' in option ? fieldsOf([option], path) : [];
	});
}
