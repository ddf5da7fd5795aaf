import { ServiceA } from '../../../sandbox/a/service';
import { watchers, type SurveyService } from '../../../sandbox/core/service';
import { requestProblems } from './endpoint.mts';
import { CONTRACT_A } from './serviceA.mts';
import { CONTRACT_B } from './serviceB.mts';

// Jest runs this before each test file: a test fails if a node sends what its contract does not show.

const problems: string[] = [];

export const contractOf = (service: SurveyService) =>
	service instanceof ServiceA ? CONTRACT_A : CONTRACT_B;

watchers.add((service, request) => {
	// A test sends this one itself (`request` of sandbox.ts).
	if (request.headers.cookie) return;
	problems.push(...requestProblems(contractOf(service), request));
});

afterEach(() => expect(problems.splice(0)).toEqual([]));
