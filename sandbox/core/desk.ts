/** A survey that was sent, as its customer sees it. */
export interface SurveyCard {
	email: string;
	campaignId: string;
	campaignName: string;
	sentAt: string;
	score?: number | null;
	comment?: string | null;
}

export interface CustomerAnswer {
	email: string;
	campaignId: string;
	score: number;
	comment?: string;
}

/** The side of a service that its surveyed customers see. */
export interface Desk {
	title: string;
	/** The surveys sent, newest first. */
	surveys(): SurveyCard[];
	answer(answer: CustomerAnswer): void;
}
