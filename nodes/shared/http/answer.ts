/** Reads an answer; every schema of zod does. */
export interface AnswerSchema<Answer> {
	safeParse(body: unknown): { success: true; data: Answer } | { success: false };
}

/**
 * Gives what reads an answer and makes something of it: `schema.transform` for one request alone, which zod would
 * take longer to set up than to read by.
 *
 * @param make may throw: then the answer is one that cannot be read
 */
export function answerAs<Read, Answer>(
	schema: AnswerSchema<Read>,
	make: (read: Read) => Answer,
): AnswerSchema<Answer> {
	return {
		safeParse(body) {
			const read = schema.safeParse(body);
			return read.success ? { success: true, data: make(read.data) } : read;
		},
	};
}
