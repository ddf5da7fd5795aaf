import { ServiceA } from '../../../sandbox/a/service';
import { watchers, type SurveyService } from '../../../sandbox/core/service';
import { requestProblems } from './endpoint.mts';
import { CONTRACT_A } from './serviceA.mts';
import { CONTRACT_B } from './serviceB.mts';

// Jest runs this before each test file: a test fails if the sandbox carries out a request that its contract does not show. One
// that it refuses is an error for the node.

const problems: string[] = [];

export const contractOf = (service: SurveyService) =>
	service instanceof ServiceA ? CONTRACT_A : CONTRACT_B;

watchers.add((service, request) => {
	// With a cookie, a test sends it itself (`request` of sandbox.ts).
	if (!request.carriedOut || request.headers.cookie) return;
	problems.push(...requestProblems(contractOf(service), request));
});

afterEach(() => expect(problems.splice(0)).toEqual([]));
