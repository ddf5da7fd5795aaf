import type { CustomerUi, SurveyCard } from './customerUi';
import { scoreType } from './rating';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #5b5bd6; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
.lead { opacity: .7; margin: 0 0 2rem; }
.card { border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; margin: 0 0 1rem; }
.card header { display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap; }
.card time, .card .campaign { opacity: .7; font-size: .875rem; }
.scores { display: grid; grid-template-columns: repeat(11, 1fr); gap: .35rem; margin: .75rem 0 .25rem; }
.scores button { font: inherit; font-weight: 600; padding: .5rem 0; cursor: pointer; color: #111;
	border: 0; border-radius: 8px; background: #f6b8b0; }
.scores button.passive { background: #f7dd8e; }
.scores button.promoter { background: #a8dfae; }
.scores button:hover, .scores button:focus-visible { outline: 3px solid var(--accent); }
.ends { display: flex; justify-content: space-between; font-size: .8rem; opacity: .7; }
input[type=text] { font: inherit; width: 100%; margin-top: .75rem; padding: .5rem .75rem; border-radius: 8px;
	border: 1px solid var(--line); background: var(--soft); color: inherit; }
.answered { margin: .5rem 0 0; }
.answered b { font-size: 1.25rem; margin-right: .5rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
details { margin-top: .5rem; }
.empty { border: 1px dashed var(--line); border-radius: 12px; padding: 2rem; text-align: center; opacity: .8; }
`;

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function scoreButton(score: number): string {
	return `<button name="score" value="${score}" class="${scoreType(score)}">${score}</button>`;
}

function form(card: SurveyCard): string {
	const buttons = Array.from({ length: 11 }, (_, score) => scoreButton(score)).join('');
	return `<form method="post" action="answer">
<input type="hidden" name="email" value="${escape(card.email)}">
<input type="hidden" name="campaignId" value="${escape(card.campaignId)}">
<input type="text" name="comment" aria-label="Comment" placeholder="Why? (optional, write it before you click a score)">
<div class="scores">${buttons}</div>
<div class="ends"><span>Not at all likely</span><span>Extremely likely</span></div>
</form>`;
}

function answered(card: SurveyCard): string {
	return `<p class="answered"><b>${card.score}</b>${escape(card.comment ?? '')}</p>`;
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function detailsHtml([title, values]: [string, Record<string, unknown>]): string {
	const rows = Object.entries(values).map(
		([name, value]) => `<tr><td>${escape(name)}</td><td>${escape(textOf(value))}</td></tr>`,
	);
	if (rows.length === 0) return '';
	return `<details open><summary>${escape(title)}</summary><table>${rows.join('')}</table></details>`;
}

function cardHtml(card: SurveyCard): string {
	const open = card.score === undefined || card.score === null;
	return `<article class="card"><header><strong>${escape(`${card.name} <${card.email}>`.trim())}</strong>
<time>${escape(card.sentAt.slice(0, 19).replace('T', ' '))} UTC</time></header>
<div class="campaign">${escape(card.campaignName)}</div>
${open ? form(card) : answered(card)}
${Object.entries(card.details).map(detailsHtml).join('')}</article>`;
}

const NO_SURVEYS =
	'<p class="empty">No survey has been sent yet. Run a workflow that sends one, then reload this page.</p>';

/** Returns the page on which customers answer their surveys; the newest hundred are shown. */
export function surveysHtml(service: CustomerUi): string {
	const { title } = service;
	const cards = service.surveyCards().slice(0, 100).map(cardHtml).join('\n');
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><h1>${escape(title)}</h1>
<p class="lead">You are the customer: answer the surveys that were sent. <a href="log">Request log</a></p>
<main>${cards || NO_SURVEYS}</main></body></html>`;
}
