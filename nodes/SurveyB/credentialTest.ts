import { credentialTest as testOf } from '../shared/http/credentialTest';
import { surveyB } from './service';

/** The test of the credential, by the name under which nodes point to it. */
export const credentialTest = { surveyBApiTest: testOf(surveyB) };
