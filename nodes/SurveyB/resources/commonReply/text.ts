import { SurveyError } from '../../../shared/http/surveyError';
import { ListReader } from '../../../shared/paging/listReader';
import { get } from '../../../shared/http/request';
import { oncePerRun } from '../../../shared/operations/run';
import type { Run } from '../../../shared/operations/run';

const commonReplies = oncePerRun(async ({ client, context }) => {
	const reader = new ListReader(client, {
		request: get('/api/v2/replies/'),
		rowsKey: 'results',
		pageSize: 100,
		identity: (row) => row.id,
		output: (row) => row,
		log: (message) => context.logger.info(message),
	});
	return await reader.all();
});

/** Returns the text of a common reply, which only the list has. @throws SurveyError when there is none, or it is empty */
export async function commonReplyText(run: Run, id: string): Promise<string> {
	const replies = await commonReplies(run);
	const found = replies.find((row) => String(row.id) === id);
	if (typeof found?.reply === 'string' && found.reply !== '') return found.reply;
	throw new SurveyError({
		message: found ? `The common reply ${id} has no text` : `There is no common reply ${id}`,
		hint: 'Choose another common reply from the list',
	});
}
