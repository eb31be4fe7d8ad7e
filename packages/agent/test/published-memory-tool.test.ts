import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Case {
  id: string;
  title: string;
  files?: Record<string, string>;
  input: never;
  content: string;
  after?: Record<string, string | null>;
  sdk?: { content: string };
}

const file = new URL('../../server/test-data/memory-tool/cases.json', import.meta.url);
const cases: Case[] = JSON.parse(await readFile(file, 'utf8'));

/** Directories have the size that the file system gives them. */
const withoutDirectorySizes = (text: string) =>
  text.replace(/^(Here're .*\n)\S+/, '$1size').replaceAll(/^\S+(?=\t\/memories\/.*\/$)/gm, 'size');

describe('the file system implementation of the SDK', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'memhall-sdk-memory-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it.each(cases.map((one) => [one.id, one.title, one] as const))('answers as recorded: %s: %s', async (id, _, one) => {
    const base = join(directory, id);
    const tool = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(base));
    for (const [path, text] of Object.entries(one.files ?? {})) {
      await tool.run({ command: 'create', path, file_text: text });
    }
    const answer = await Promise.resolve(tool.run(one.input)).catch(({ message }: Error) => message);
    const expected = one.sdk?.content ?? one.content.replace(/^Error: /, '');
    expect(withoutDirectorySizes(String(answer))).toBe(withoutDirectorySizes(expected));
    if (one.sdk !== undefined) return expect(one.sdk.content).not.toBe(one.content.replace(/^Error: /, ''));
    for (const [path, text] of Object.entries(one.after ?? {})) {
      const stored = join(base, path);
      const isThere = await stat(stored).then(
        () => true,
        () => false,
      );
      expect(isThere ? await readFile(stored, 'utf8') : null).toBe(text);
    }
  });
});
