import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { claudeProjects, projects } from './support/framework-project.js';

const execute = promisify(execFile);
const isLong = process.env.MEMHALL_TEST_LONG !== undefined;
const support = ['with-server.mjs', 'note-taker.mjs'];
const directory = projects[0]?.directory ?? '';
const examples = readdirSync(directory).filter((name) => name.endsWith('.mjs') && !support.includes(name));
const large = claudeProjects
  .filter(({ name }) => name === 'current')
  .map((project) => join(project.directory, 'main.mjs'));
/** Each starts a server with a model, which takes seconds: without MEMHALL_TEST_LONG, one of them runs. */
const run = isLong ? [...examples.map((name) => join(directory, name)), ...large] : [join(directory, 'mastra.mjs')];

it('there are examples', () => {
  expect(examples.sort()).toEqual(['llamaindex.mjs', 'mastra.mjs', 'openai-agents.mjs']);
});

it.each(run)('the example %s runs', async (path) => {
  const { stdout } = await execute(process.execPath, [path], { timeout: 280_000 });
  expect(stdout).toContain('umbrella');
});
