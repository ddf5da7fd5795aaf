import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../../shared/http/failure';
import { ListReader } from '../../../shared/pagination/listReader';
import { get } from '../../../shared/http/request';
import type { Run } from '../../../shared/operations/run';

/** The common replies, read once a run however many rows use them. */
const ofRuns = new WeakMap<Run, Promise<IDataObject[]>>();

/**
 * Gives the text of a common reply. The service shows them only as a list.
 *
 * @throws Failure where there is none of this ID, or where its text is empty
 */
export async function commonReplyText(run: Run, id: string): Promise<string> {
	const pending = ofRuns.get(run) ?? readAll(run);
	ofRuns.set(run, pending);
	const found = (await pending).find((row) => String(row.id) === id);
	if (typeof found?.reply === 'string' && found.reply !== '') return found.reply;
	throw new Failure({
		words: found ? `The common reply ${id} has no text` : `There is no common reply ${id}`,
		advice: 'Choose another common reply from the list',
	});
}

async function readAll({ client, context }: Run): Promise<IDataObject[]> {
	const reader = new ListReader(client, {
		request: get('/api/v2/replies/'),
		rowsKey: 'results',
		pageSize: 100,
		identity: (row) => row.id,
		output: (row) => row,
		log: (message) => context.logger.info(message),
	});
	return await reader.all();
}
