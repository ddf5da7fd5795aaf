/** Reads the body of a response, as every zod schema does. */
export interface AnswerSchema<Answer> {
	safeParse(body: unknown): { success: true; data: Answer } | { success: false };
}

/**
 * Returns a schema that reads a response and converts it. For a single request, zod's own `transform` takes longer
 * to set up than to read.
 *
 * @param make may throw, for a response that cannot be read
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
