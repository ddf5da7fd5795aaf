import { credentialTest as testOf } from '../shared/http/credentialTest';
import { surveyA } from './service';

/** The test of the credential, by the name under which nodes point to it. */
export const credentialTest = { surveyAApiTest: testOf(surveyA) };
