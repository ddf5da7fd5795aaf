/** The rounds of tests that kill n8n: SURVEYS_ROUNDS, by default one. */
export const ROUNDS = Array.from(
	{ length: Number(process.env.SURVEYS_ROUNDS ?? 1) },
	(_, i) => i + 1,
);
