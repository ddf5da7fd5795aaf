import { campaign } from './campaign';
import { company } from './company';
import { customer } from './customer';
import { feedback } from './feedback';
import { outbox } from './outbox';
import { report } from './report';
import { score } from './score';
import { survey } from './survey';
import { template } from './template';

/** Every operation of Survey A, by resource. */
export const resources = {
	campaign,
	company,
	customer,
	feedback,
	outbox,
	report,
	score,
	survey,
	template,
};
