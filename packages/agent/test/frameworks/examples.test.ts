import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projects } from './support/framework-project.js';

const support = ['with-server.mjs', 'note-taker.mjs'];
const execute = promisify(execFile);
const directory = projects[0]?.directory ?? '';
const examples = readdirSync(directory).filter((name) => name.endsWith('.mjs') && !support.includes(name));

it.each(examples)('the example %s runs', async (name) => {
  const { stdout } = await execute(process.execPath, [join(directory, name)], { timeout: 110_000 });
  expect(stdout).toContain('umbrella');
});
