/** The rounds of a test that kills n8n in each: one, or as many as SURVEYS_ROUNDS says. */
export const ROUNDS = Array.from(
	{ length: Number(process.env.SURVEYS_ROUNDS ?? 1) },
	(_, i) => i + 1,
);
