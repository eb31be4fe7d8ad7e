import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { requirements } from './support/requirements.js';

it('every requirement is verified by a test', () => {
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const text = tests.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8')).join('\n');
  const calls = [...text.matchAll(/verify\(\s*(\[[^\]]*\]|'[^']*')/g)].map(([, ids]) => ids ?? '');
  const verified = new Set(calls.flatMap((ids) => [...ids.matchAll(/'([^']+)'/g)].map(([, id]) => id)));
  expect(Object.keys(requirements).filter((id) => !verified.has(id))).toEqual([]);
});
