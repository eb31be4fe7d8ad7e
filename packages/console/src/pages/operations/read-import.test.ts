import { describe, expect, it } from 'vitest';
import { readImport } from './read-import.js';

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

describe('reading a file to import', () => {
  it('takes the memories and the current facts of an export, and counts the rest', () => {
    const file = readImport(
      lines(
        { type: 'export', format: 'memhall-memory', version: 1 },
        {
          type: 'fact',
          subject: 'me',
          attribute: 'lives in',
          value: 'Oslo',
          status: 'current',
          valid_from: '2026-01-01',
        },
        { type: 'fact', subject: 'me', attribute: 'lives in', value: 'Bergen', status: 'superseded' },
        {
          ...{ type: 'memory', id: 'm1', content: 'I live in Oslo.', kind: 'note', external_id: null, tags: ['home'] },
          ...{ metadata: { a: 1 }, session_id: null, role: 'user', pin: true, trust: 'external', public: false },
        },
        { type: 'memory', id: 'm2', content: 'A piece of a file.', kind: 'resource' },
        { type: 'document', path: 'x', document: {} },
        { type: 'end', counts: {} },
      ),
    );
    expect(file).toEqual({
      memories: [
        {
          ...{ content: 'I live in Oslo.', external_id: 'import:m1', kind: 'note', role: 'user', tags: ['home'] },
          ...{ metadata: { a: 1 }, pin: true },
        },
      ],
      facts: [{ subject: 'me', attribute: 'lives in', value: 'Oslo', valid_from: '2026-01-01' }],
      others: 3,
      faults: [],
    });
  });

  it('takes lines with nothing but content, and names those that are wrong', () => {
    const file = readImport(`{"content": "tea"}\n\nno json\n[1]\n{"content": 7}\n{"type": "fact", "subject": "me"}\n`);
    expect(file.memories).toEqual([{ content: 'tea', external_id: 'import:1:tea' }]);
    expect(file.faults.map(({ line }) => line)).toEqual([3, 4, 5, 6]);
  });
});
