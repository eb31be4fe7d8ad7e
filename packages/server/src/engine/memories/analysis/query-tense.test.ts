import { describe, expect, it } from 'vitest';
import { tenseOf } from './query-tense.js';

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
