import { readFileSync } from 'node:fs';
import { optionalLabels, redact } from '@memhall/core';
import { describe, expect, it } from 'vitest';

function read(half: string, kind: 'ordinary' | 'secrets'): string[] {
  const file = new URL(`../test-data/redactor/${half}/${kind}.txt`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

describe.each(['seen', 'unseen'])('corpus of the redactor: %s', (half) => {
  it('has all its secrets redacted', () => {
    expect(read(half, 'secrets').filter((text) => redact(text, optionalLabels).text === text)).toEqual([]);
  });

  it('has its ordinary texts unchanged', () => {
    expect(read(half, 'ordinary').filter((text) => redact(text, optionalLabels).text !== text)).toEqual([]);
  });
});
