import { english } from './english/english.js';
import { french } from './french/french.js';
import { german } from './german/german.js';
import type { Language } from './language.js';
import { spanish } from './spanish/spanish.js';

/** English first: it is assumed where a text does not tell. */
export const languages: readonly Language[] = [english, german, french, spanish];
