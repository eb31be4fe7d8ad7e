import { expect, it } from 'vitest';
import { checkValue } from './check-value.js';

const attributes = ['lives in', 'owns'];
const check = (text: string, attribute: string | null, value: string | null, subject: string | null = null) =>
  checkValue({ subject, attribute, value }, text, attributes);

it('takes value and subject in the words of the text', () => {
  const text = 'Home for Anna is  New\tYork (NY)';
  expect(check(text, ' Lives In ', 'new york', 'anna')).toEqual({
    ...{ subject: 'Anna', attribute: 'lives in', value: 'New\tYork' },
  });
  expect(check(text, 'lives in', 'New York (NY)', 'the user')).toMatchObject({
    subject: 'me',
    value: 'New\tYork (NY)',
  });
  expect(check('My T-shirt is blue', 'owns', 't-shirt')).toEqual({
    subject: 'me',
    attribute: 'owns',
    value: 'T-shirt',
  });
});

it('says nothing about a text without an attribute or a value', () => {
  expect(check('Home is Rome', null, 'Rome')).toBeUndefined();
  expect(check('Home is Rome', 'lives in', null)).toBeUndefined();
});

it.each([
  ['an unknown attribute', 'Home is Rome', 'height', 'Rome', null],
  ['a value that is not there', 'Home is Rome', 'lives in', 'Paris', null],
  ['a part of a word', 'Home is Romeo', 'lives in', 'Rome', null],
  ['an empty value', 'Home is Rome', 'lives in', ' ', null],
  ['a value that is too long', 'Home is Rome', 'lives in', 'Rome '.repeat(100), null],
  ['an expression', 'Home is Rome', 'lives in', '.*', null],
  ['a subject that is not there', 'Home is Rome', 'lives in', 'Rome', 'Bob'],
  ['a negation', "Home isn't Rome", 'lives in', 'Rome', null],
  ['the past', 'Home was Rome', 'lives in', 'Rome', null],
  ['a condition', 'If home is Rome', 'lives in', 'Rome', null],
])('refuses %s', (_, text, attribute, value, subject) => {
  expect(check(text, attribute, value, subject)).toBe('attribute');
});
