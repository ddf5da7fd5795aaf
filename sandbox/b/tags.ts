import type { Feedback } from './records';
import { findCampaign, type ContextB } from './state';

function campaignName({ state }: ContextB, id: number) {
	return { id, Name: findCampaign(state, id)?.record.name };
}

function feedbackOf({ state }: ContextB, campaignId: number): Feedback[] {
	return state.feedback.filter(({ campaign }) => campaign.id === campaignId);
}

/** Renames or merges a tag, as in the application's tag management; removes it where the new name exists. */
export function changeTag(
	context: ContextB,
	event: 'tag.merged' | 'tag.renamed',
	campaignId: number,
	before: string,
	after: string,
): void {
	for (const feedback of feedbackOf(context, campaignId)) {
		const tags = feedback.tags.map((tag) => (tag.name === before ? { ...tag, name: after } : tag));
		feedback.tags = tags.filter(
			({ name }, at) => tags.findIndex((tag) => tag.name === name) === at,
		);
	}
	context.emit(event, { campaign: campaignName(context, campaignId), before, after });
}

/** Deletes a tag, as in the application's tag management. */
export function removeTag(context: ContextB, campaignId: number, name: string): void {
	for (const feedback of feedbackOf(context, campaignId)) {
		feedback.tags = feedback.tags.filter((tag) => tag.name !== name);
	}
	context.emit('tag.removed', { campaign: campaignName(context, campaignId), name });
}
