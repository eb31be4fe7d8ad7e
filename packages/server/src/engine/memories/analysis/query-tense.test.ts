import { describe, expect, it } from 'vitest';
import { asksWhatChanged, tenseOf } from './query-tense.js';

describe('tenseOf', () => {
  it.each([
    'Where do I live?',
    'What is my job?',
    'who is my manager',
    'Was ist mein Beruf?',
    'What should I do before the trip?',
    'What will I do next month?',
    'tea without milk',
  ])('%s asks about the present', (query) => expect(tenseOf(query)).toBe('present'));

  it.each([
    'Where did I live before Oslo?',
    'what was my job in 2022?',
    'Where did I use to live?',
    'where I used to live',
    'Who was my manager at Acme?',
    'My previous employer',
    'my job before Acme?',
    'What was Anna’s phone number?',
  ])('%s asks about the past', (query) => expect(tenseOf(query)).toBe('past'));

  it.each([
    'When did I move?',
    'how has my job changed',
    'How long have I lived in Oslo?',
    'the history of my addresses',
    'Did I tell you where I live?',
  ])('%s asks about both', (query) => expect(tenseOf(query)).toBe('change'));
});

describe('asksWhatChanged', () => {
  it.each([
    'How did that change?',
    'What changed?',
    'and when did it change',
    'What has changed lately?',
    'what are the changes',
  ])('%s names nothing', (query) => expect(asksWhatChanged(query)).toBe(true));

  it.each(['How did my job change?', 'What is new?', 'Change the tyres', 'When was that?', '', 'Was ist neu?'])(
    '%s names something, or asks for no change',
    (query) => expect(asksWhatChanged(query)).toBe(false),
  );
});
