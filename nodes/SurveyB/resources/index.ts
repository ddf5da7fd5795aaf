import { commonReply } from './commonReply';
import { contact } from './contact';
import { contactList } from './contactList';
import { feedback } from './feedback';
import { metric } from './metric';
import { survey } from './survey';
import { webhook } from './webhook';

/** Every operation of Survey B, by resource. */
export const resources = {
	survey,
	contact,
	contactList,
	feedback,
	metric,
	commonReply,
	webhook,
};
