import type { Express, Request, Response } from 'express';
import type { CustomerAnswer, Desk } from './desk';
import { pageHtml } from './pageHtml';
import { publicLog, type RecordedRequest } from './recorded';

function readForm(request: Request): CustomerAnswer | undefined {
	const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
	const email = form.get('email');
	const campaignId = form.get('campaignId');
	const score = Number(form.get('score') ?? Number.NaN);
	if (!email || !campaignId || !Number.isInteger(score) || score < 0 || score > 10)
		return undefined;
	return { email, campaignId, score, comment: form.get('comment') ?? '' };
}

function takeAnswer(desk: Desk, request: Request, response: Response): void {
	const answer = readForm(request);
	if (!answer) {
		response.status(400).send('A survey and a score from 0 to 10 are needed.');
		return;
	}
	desk.answer(answer);
	response.redirect(303, './');
}

/** Serves the page to answer surveys on, and the request log. Neither is recorded nor meets faults. */
export function servePage(app: Express, desk: Desk, requests: RecordedRequest[]): void {
	app.get('/_sandbox', (_, response) => response.redirect('/_sandbox/'));
	app.get('/_sandbox/', (_, response) => void response.type('html').send(pageHtml(desk)));
	app.post('/_sandbox/answer', (request, response) => takeAnswer(desk, request, response));
	app.get('/_sandbox/log', (_, response) => void response.json(publicLog(requests)));
}
