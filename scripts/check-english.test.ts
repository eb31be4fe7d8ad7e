import { describe, expect, it } from 'vitest';
import { banned, findPhrases } from './check-english.mjs';

const find = (path: string, text: string) => findPhrases([{ path, text }]);

const examples = [
  'Made anew after a restart.',
  'Whoever asked gets it.',
  'It goes by the rows it read.',
  'What it makes of the text.',
  'Removes them and answers how many there were.',
  'Faults are told below.',
  'Rows that the database has not got.',
  'The job sees to the rest.',
  'A plugin is held against its contract.',
  'Where the two are at odds.',
];

describe('the check of phrases', () => {
  it.each(examples)('rejects: %s', (line) => {
    expect(find('docs/x.md', `Fine.\n${line}`)).toEqual([expect.stringMatching(/^docs\/x\.md:2: "/)]);
  });

  it('has an example of every phrase', () => {
    const unused = banned.filter(({ phrase }) => !examples.some((line) => phrase.test(line)));
    expect(unused).toEqual([]);
  });

  it.each(['It answers the question.', 'She told me.', 'Returns how many there were.', 'Go by train.'])(
    'lets pass: %s',
    (line) => {
      expect(find('docs/x.md', line)).toEqual([]);
    },
  );

  it('leaves migrations alone, whose text is part of a checksum', () => {
    expect(find('packages/server/migrations/0001_x.sql', '-- anew')).toEqual([]);
  });
});
