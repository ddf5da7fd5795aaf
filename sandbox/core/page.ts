import type { Express, Request, Response } from 'express';
import type { CustomerAnswer, CustomerUi } from './customerUi';
import { surveysHtml } from './pageHtml';
import { maskedLog, type RecordedRequest } from './requestLog';

function readForm(request: Request): CustomerAnswer | undefined {
	const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
	const email = form.get('email');
	const campaignId = form.get('campaignId');
	const score = Number(form.get('score') ?? Number.NaN);
	if (!email || !campaignId || !Number.isInteger(score) || score < 0 || score > 10)
		return undefined;
	return { email, campaignId, score, comment: form.get('comment') ?? '' };
}

function acceptAnswer(customerUi: CustomerUi, request: Request, response: Response): void {
	const answer = readForm(request);
	if (!answer) {
		response.status(400).send('A survey and a score from 0 to 10 are required.');
		return;
	}
	customerUi.answer(answer);
	response.redirect(303, './');
}

/** Serves the pages for people: surveys to answer and the request log. They are not logged and meet no faults. */
export function servePages(
	app: Express,
	service: CustomerUi & { requests: RecordedRequest[] },
): void {
	app.get('/_sandbox', (_, response) => response.redirect('/_sandbox/'));
	app.get('/_sandbox/', (_, response) => void response.type('html').send(surveysHtml(service)));
	app.post('/_sandbox/answer', (request, response) => acceptAnswer(service, request, response));
	app.get('/_sandbox/log', (_, response) => void response.json(maskedLog(service.requests)));
}
