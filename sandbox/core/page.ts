import type { Express, Request, Response } from 'express';
import { z } from 'zod/v4';
import { scoreType } from './rating';
import { maskedLog, type RecordedRequest } from './requestLog';

/** A survey that was sent, as its customer sees it. */
export interface SurveyCard {
	email: string;
	campaignId: string;
	campaignName: string;
	sentAt: string;
	/** Fields that the service stores about the customer and the survey. */
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

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
article { border: 1px solid #8884; border-radius: 12px; padding: 1rem; margin: 1rem 0; }
time { float: right; opacity: .7; }
input[name=comment] { font: inherit; width: 100%; box-sizing: border-box; }
button { font: inherit; width: 8.4%; margin: .5rem 0; cursor: pointer; background: #f6b8b0; color: #111; }
button.passive { background: #f7dd8e; }
button.promoter { background: #a8dfae; }
td { padding: 0 .75rem 0 0; }
`;

const answerSchema = z.object({
	email: z.string().min(1),
	campaignId: z.string().min(1),
	score: z
		.string()
		.regex(/^(\d|10)$/)
		.transform(Number),
	comment: z.string().optional(),
});

/** Serves the pages for people: surveys to answer and the request log. They are not logged and meet no faults. */
export function servePages(
	app: Express,
	service: CustomerUi & { requests: RecordedRequest[] },
): void {
	app.get('/_sandbox', (_, response) => response.redirect('/_sandbox/'));
	app.get('/_sandbox/', (_, response) => void response.type('html').send(surveysHtml(service)));
	app.post('/_sandbox/answer', (request, response) => acceptAnswer(service, request, response));
	app.get(
		'/_sandbox/log',
		(_, response) => void response.type('json').send(maskedLog(service.requests)),
	);
}

function acceptAnswer(customerUi: CustomerUi, request: Request, response: Response): void {
	const form = Object.fromEntries(new URLSearchParams(String(request.body)));
	const { data: answer } = answerSchema.safeParse(form);
	if (!answer) {
		response.status(400).send('A survey and a score from 0 to 10 are required.');
		return;
	}
	customerUi.answer(answer);
	response.redirect(303, './');
}

/** Returns the page on which customers answer their surveys; the newest hundred are shown. */
function surveysHtml(service: CustomerUi): string {
	const title = escape(service.title);
	const cards = service.surveyCards().slice(0, 100).map(cardHtml).join('\n');
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><h1>${title}</h1>
<p>You are the customer: answer the surveys that were sent. <a href="log">Request log</a></p>
${cards || '<p>No survey has been sent yet. Run a workflow that sends one, then reload this page.</p>'}
</body></html>`;
}

function cardHtml(card: SurveyCard): string {
	const isOpen = card.score === undefined || card.score === null;
	const details = Object.entries(card.details).map(
		([name, value]) => `<tr><td>${escape(name)}</td><td>${escape(textOf(value))}</td></tr>`,
	);
	return `<article><time>${escape(card.sentAt.slice(0, 19).replace('T', ' '))} UTC</time>
<b>${escape(card.email)}</b>: ${escape(card.campaignName)}
${isOpen ? form(card) : `<p><b>${card.score}</b> ${escape(card.comment ?? '')}</p>`}
<table>${details.join('')}</table></article>`;
}

function form(card: SurveyCard): string {
	const buttons = Array.from(
		{ length: 11 },
		(_, score) =>
			`<button name="score" value="${score}" class="${scoreType(score)}">${score}</button>`,
	);
	return `<form method="post" action="answer">
<input type="hidden" name="email" value="${escape(card.email)}">
<input type="hidden" name="campaignId" value="${escape(card.campaignId)}">
<input name="comment" aria-label="Comment" placeholder="Why? (optional, write it before you click a score)">
${buttons.join('\n')}
</form>`;
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
