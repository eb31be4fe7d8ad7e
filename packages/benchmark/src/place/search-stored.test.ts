import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { searchFiles, searchRows } from './search-stored.js';

const directory = mkdtempSync(join(tmpdir(), 'memhall-search-'));
const word = 'bukolanetirimosa';
const text = `The code name is ${word}.`;

afterAll(() => rmSync(directory, { recursive: true }));

describe('the search of what is stored', () => {
  it('finds a text as it is, in hexadecimal, and in base64 wherever it begins', async () => {
    const forms = {
      plain: text,
      hex: Buffer.from(text).toString('hex'),
      base64: Buffer.from(text).toString('base64'),
      'base64-1': Buffer.from(`a${text}`).toString('base64'),
      'base64-2': Buffer.from(`ab${text}`).toString('base64'),
      far: `${'x'.repeat((1 << 20) - 8)}${text}`,
      none: 'something else',
    };
    mkdirSync(join(directory, 'deep'));
    for (const [name, content] of Object.entries(forms)) writeFileSync(join(directory, 'deep', name), content);
    const found = await searchFiles([directory], [word]);
    expect(found.map(({ place }) => place).sort()).toEqual(
      Object.keys(forms)
        .filter((name) => name !== 'none')
        .map((name) => `deep/${name}`)
        .sort(),
    );
  });

  it('row by row leaves out directories that only the system can read', async () => {
    const stored = { directory, databaseUrl: undefined, opaque: ['deep'] };
    expect(await searchRows(stored, [word])).toEqual([]);
    expect((await searchRows({ ...stored, opaque: [] }, [word])).length).toBe(6);
  });
});
