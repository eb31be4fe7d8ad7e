import { describe, expect, it } from 'vitest';
import { withoutFrame } from './query-frame.js';

describe('what a query is about', () => {
  it.each([
    ['Can you list the order in which I brought up my plans for the garden?', 'my plans for the garden?'],
    ['Could you give me a short, friendly summary of the move to Bergen?', 'the move to Bergen?'],
    ['Can you summarize how my budget has changed over time?', 'how my budget has changed ?'],
    ['Which roof did I say I wanted?', 'Which roof I wanted?'],
    [
      'How did the boat change throughout our conversations, in order (mention 5 items)?',
      'How did the boat change , ( )?',
    ],
    ['Tell me the different stages of the trial from start to finish', 'Tell me the trial'],
  ])('%s', (query, about) => {
    expect(withoutFrame(query)).toBe(about);
  });

  it.each([
    'What did Anna mention about the boat?',
    'What was discussed in the workshop?',
    'What do I need in order to renew my passport?',
    'Which topics will the seminar cover?',
    'I put the books in order of size.',
    'My chats with Ben are on the old phone.',
    'Send the executive summary of the merger to Ines.',
  ])('is all of: %s', (query) => {
    expect(withoutFrame(query)).toBe(query);
  });
});
