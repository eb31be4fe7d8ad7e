import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { claudeProjects, projects } from './support/framework-project.js';

const execute = promisify(execFile);
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const guide = readFileSync(new URL('../../../../docs/guide/frameworks.md', import.meta.url), 'utf8');
const snippets = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
/** What readers have. */
const given = [
  "import type { ToolCallLLM } from 'llamaindex';",
  'declare const token: string;',
  'declare const sessionId: string;',
  'declare const llm: ToolCallLLM;',
].join('\n');
const compilerOptions = {
  ...{ target: 'ES2023', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: true, types: [] },
};

async function check(directory: string, code: string): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'memhall-guide-'));
  try {
    symlinkSync(join(directory, 'node_modules'), join(place, 'node_modules'));
    writeFileSync(join(place, 'package.json'), '{"type":"module"}');
    writeFileSync(join(place, 'snippet.ts'), code);
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['snippet.ts'] }));
    await execute(process.execPath, [compiler, '-p', place]);
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

describe('the guide to frameworks', () => {
  const current = projects[0]?.directory ?? '';

  it.each([
    { name: '@mastra/core', model: "'openai/gpt-5'" },
    { name: '@openai/agents', model: 'never' },
    { name: 'llamaindex', model: 'never' },
    { name: "from 'ai'", model: "Exclude<import('ai').LanguageModel, string>" },
  ])('has code for $name with the right types', async ({ name, model }) => {
    const code = snippets.find((snippet) => snippet.includes(name));
    await check(current, `${given}\ndeclare const model: ${model};\n${code}`);
  });

  it('has code for the Claude Agent SDK with the right types, with MEMHALL_TEST_LONG', async () => {
    const code = snippets.find((snippet) => snippet.includes('claude-agent-sdk'));
    expect(code).toContain('memhallHooks');
    for (const { directory } of claudeProjects) await check(directory, `declare const token: string;\n${code}`);
  });
});
