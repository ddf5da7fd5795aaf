import { get } from '../shared/request';
import { searchOf } from '../shared/search';
import type { Search } from '../shared/search';
import { surveyA } from './service';

const campaigns: Search = {
	request: () => get('/api/v2/campaigns'),
	rows: 'campaigns',
	name: (row) => String(row.name ?? row.id),
	value: (row) => String(row.id),
};

/** What fills the node's drop-downs. */
export const listSearch = {
	searchCampaigns: searchOf(surveyA, campaigns),
	searchSendableCampaigns: searchOf(surveyA, {
		...campaigns,
		hides: (row) => row.isActive === false || (row.type ?? 'transactional') !== 'transactional',
	}),
};
