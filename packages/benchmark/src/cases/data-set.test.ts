import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readDataSet } from './data-set.js';

const directory = mkdtempSync(join(tmpdir(), 'memhall-data-set-'));

afterAll(() => rmSync(directory, { recursive: true }));

function written(name: string, value: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

describe('a data set', () => {
  it('is read in the general form', async () => {
    const turns = [{ id: 1, session: 's1', text: 'user: Hello.' }];
    const questions = [{ text: 'What?', kind: 'x', evidence: [1], sessions_before: 2 }];
    const path = written('general.json', { conversations: [{ id: 'c', evidence_of: 'session', turns, questions }] });
    expect(await readDataSet(path)).toEqual({
      name: 'general.json',
      conversations: [
        {
          id: 'c',
          evidenceOf: 'session',
          turns: [{ id: '1', session: 's1', text: 'user: Hello.' }],
          questions: [{ text: 'What?', evidence: ['1'], sessionsBefore: 2 }],
        },
      ],
    });
  });

  it('is read as LoCoMo is published, without adversarial questions and evidence that does not exist', async () => {
    const conversation = {
      speaker_a: 'Ann',
      session_1_date_time: 'noon',
      session_1: [{ dia_id: 'D1:1', speaker: 'Ann', text: 'Look.', blip_caption: 'a boat' }],
      session_2: [{ dia_id: 'D2:1', speaker: 'Bob', text: 'Nice.' }],
    };
    const qa = [
      { question: 'Which?', category: 1, evidence: ['D1:01; D2:1', 'D9:9'] },
      { question: 'Why?', category: 5, evidence: ['D1:1'] },
      { question: 'Who?', category: 2, evidence: ['D7:7'] },
    ];
    const { conversations } = await readDataSet(written('locomo.json', [{ sample_id: 'conv-1', conversation, qa }]));
    expect(conversations).toEqual([
      {
        id: 'conv-1',
        evidenceOf: 'turn',
        turns: [
          { id: 'D1:1', session: '1', text: 'Ann: Look. [shares a photo: a boat]' },
          { id: 'D2:1', session: '2', text: 'Bob: Nice.' },
        ],
        questions: [{ text: 'Which?', evidence: ['D1:1', 'D2:1'] }],
      },
    ]);
  });

  it('that is missing or something else is named', async () => {
    await expect(readDataSet(join(directory, 'missing.json'))).rejects.toThrow('Name a data set with --data');
    await expect(readDataSet(written('text.json', 'text'))).rejects.toThrow('is not JSON');
    await expect(readDataSet(written('other.json', { a: 1 }))).rejects.toThrow('is neither LoCoMo nor');
  });
});
