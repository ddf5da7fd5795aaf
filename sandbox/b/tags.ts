import type { Feedback, TagChange, TagRemoval } from './records';
import { findCampaign, type ContextB } from './state';

function campaignName({ state }: ContextB, id: number) {
	return { id, Name: findCampaign(state, id)?.record.name };
}

function feedbackOf({ state }: ContextB, campaignId: number): Feedback[] {
	return state.feedback.filter(({ campaign }) => campaign.id === campaignId);
}

/** Renames a tag on all feedback of a campaign; removes it where the new name exists. */
function rename(context: ContextB, campaignId: number, before: string, after: string): TagChange {
	for (const feedback of feedbackOf(context, campaignId)) {
		const tags = feedback.tags.map((tag) => (tag.name === before ? { ...tag, name: after } : tag));
		feedback.tags = tags.filter(
			({ name }, at) => tags.findIndex((tag) => tag.name === name) === at,
		);
	}
	return { campaign: campaignName(context, campaignId), before, after };
}

/** Merges a tag into another, as in the application's tag management. */
export function mergeTag(
	context: ContextB,
	campaignId: number,
	before: string,
	after: string,
): void {
	const data = rename(context, campaignId, before, after);
	context.emit('tag.merged', () => data);
}

/** Renames a tag, as in the application's tag management. */
export function renameTag(
	context: ContextB,
	campaignId: number,
	before: string,
	after: string,
): void {
	const data = rename(context, campaignId, before, after);
	context.emit('tag.renamed', () => data);
}

/** Deletes a tag, as in the application's tag management. */
export function removeTag(context: ContextB, campaignId: number, name: string): void {
	for (const feedback of feedbackOf(context, campaignId)) {
		feedback.tags = feedback.tags.filter((tag) => tag.name !== name);
	}
	const data: TagRemoval = { campaign: campaignName(context, campaignId), name };
	context.emit('tag.removed', () => data);
}
