// Turns every switch of the sandbox whose other way the contract allows. A test that needs one of them as it is by default
// sets it itself.
import { differencesA } from '../../sandbox/a/settings';
import { differencesB } from '../../sandbox/b/settings';
import { HARDER_A, HARDER_B } from './harder';

Object.assign(differencesA, HARDER_A);
Object.assign(differencesB, HARDER_B);
