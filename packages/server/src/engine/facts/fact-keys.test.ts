import { expect, it } from 'vitest';
import { areAlternatives, type Comparison, valueKey } from './fact-keys.js';

it('takes a day for one value however it is written', () => {
  const keys = ['4 May 1990', 'May 4th, 1990', 'the 4th of May 1990', '1990-05-04'].map((day) => valueKey(day, 'date'));
  expect(new Set(keys)).toEqual(new Set(['4 may 1990']));
});

it.each<[string, string, Comparison, boolean]>([
  ['Bosch', 'Siemens', 'text', true],
  ['Siemens', 'Siemens Energy', 'text', false],
  ['Tom Becker', 'Tom', 'text', false],
  ['I.B.M.', 'IBM', 'text', false],
  ['grey', 'gray', 'text', false],
  ['Katherine', 'Catherine', 'text', false],
  ['Mia', 'Pia', 'text', true],
  ['Sam', 'Samuel', 'text', false],
  ['4 May', '21 May', 'date', true],
  ['4 May', 'May 4th, 1990', 'date', false],
  ['4 May', '04.05.', 'date', false],
  ['Bergen', 'Oslo', 'place', true],
  ['Munich', 'Schwabing', 'place', false],
  ['555-0142', '555-0199', 'digits', true],
  ['+41 79 555 01 02', '079 555 01 02', 'digits', false],
])('takes %s and %s (%s) for two values: %s', (one, other, comparison, are) => {
  const keys = [valueKey(one, comparison), valueKey(other, comparison)] as const;
  expect(areAlternatives(keys[0], keys[1], comparison)).toBe(are);
  expect(areAlternatives(keys[1], keys[0], comparison)).toBe(are);
});
