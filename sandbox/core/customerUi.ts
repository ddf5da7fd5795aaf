/** A survey that was sent, as its customer sees it. */
export interface SurveyCard {
	email: string;
	campaignId: string;
	campaignName: string;
	sentAt: string;
	/** What the service stores about the customer and the survey. */
	details: Record<string, unknown>;
	score?: number | null;
	comment?: string | null;
}

export interface CustomerAnswer {
	email: string;
	campaignId: string;
	score: number;
	comment?: string;
}

/** The pages on which customers answer their surveys. */
export interface CustomerUi {
	title: string;
	/** Returns the surveys that were sent, newest first. */
	surveyCards(): SurveyCard[];
	answer(answer: CustomerAnswer): unknown;
}
