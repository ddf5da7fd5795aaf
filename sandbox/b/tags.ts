import type { Feedback, TagChange, TagRemoval } from './records';
import { findCampaign, type WorldB } from './state';

function campaignOf({ state }: WorldB, id: number) {
	return { id, Name: findCampaign(state, id)?.record.name };
}

function feedbackOf({ state }: WorldB, campaignId: number): Feedback[] {
	return state.feedback.filter(({ campaign }) => campaign.id === campaignId);
}

/** Gives a tag another name on all feedback of a campaign; a feedback that has that name keeps one. */
function rename(world: WorldB, campaignId: number, before: string, after: string): TagChange {
	for (const feedback of feedbackOf(world, campaignId)) {
		const tags = feedback.tags.map((tag) => (tag.name === before ? { ...tag, name: after } : tag));
		feedback.tags = tags.filter(
			({ name }, at) => tags.findIndex((tag) => tag.name === name) === at,
		);
	}
	return { campaign: campaignOf(world, campaignId), before, after };
}

/** A tag is merged into another in the application's tag management. */
export function mergeTag(world: WorldB, campaignId: number, before: string, after: string): void {
	const data = rename(world, campaignId, before, after);
	world.emit('tag.merged', () => data);
}

/** A tag is renamed in the application's tag management. */
export function renameTag(world: WorldB, campaignId: number, before: string, after: string): void {
	const data = rename(world, campaignId, before, after);
	world.emit('tag.renamed', () => data);
}

/** A tag is deleted in the application's tag management. */
export function removeTag(world: WorldB, campaignId: number, name: string): void {
	for (const feedback of feedbackOf(world, campaignId)) {
		feedback.tags = feedback.tags.filter((tag) => tag.name !== name);
	}
	const data: TagRemoval = { campaign: campaignOf(world, campaignId), name };
	world.emit('tag.removed', () => data);
}
