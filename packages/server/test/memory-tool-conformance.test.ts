import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { MemoryTool } from './support/memory-tool.js';
import { useServer } from './support/server.js';

interface Case {
  id: string;
  title: string;
  files?: Record<string, string>;
  input: Record<string, unknown>;
  content: string;
  is_error: boolean;
  /** Texts of files after the command; null for files that do not exist. */
  after?: Record<string, string | null>;
}

const cases: Case[] = JSON.parse(readFileSync(new URL('../test-data/memory-tool/cases.json', import.meta.url), 'utf8'));

describeOneDatabase('the memory tool, as published', (database) => {
  const server = useServer(database);
  let files: MemoryTool | undefined;

  it.each(cases.map((one) => [one.id, one.title, one] as const))('%s: %s', async (id, _, one) => {
    files ??= await MemoryTool.of(server());
    const tool = files.ofAgent(id);
    for (const [path, text] of Object.entries(one.files ?? {})) {
      await tool.done({ command: 'create', path, file_text: text });
    }
    expect(await tool.run(one.input)).toEqual({ content: one.content, is_error: one.is_error });
    for (const [path, text] of Object.entries(one.after ?? {})) {
      expect({ path, text: await tool.text(path.slice('/memories/'.length)) }).toEqual({ path, text });
    }
  });
});
