import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from './support/databases.js';

const directory = fileURLToPath(new URL('../../../examples/', import.meta.url));
const examples = readdirSync(directory).filter((name) => name !== 'support');
/** These bring their own memory, so they do not depend on the database. */
const withoutStore = ['plugins', 'providers'];

async function run(name: string, settings: Record<string, string> = {}): Promise<void> {
  const { TOKEN: _, DATABASE_URL: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [`${directory}${name}/main.mjs`], { env: { ...inherited, ...settings } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise((done) => child.once('close', done));
  expect(code, output).toBe(0);
}

describeEachDatabase('examples', (database) => {
  it.each(examples.filter((name) => !withoutStore.includes(name)))(
    '%s runs and passes its own checks',
    { timeout: 180_000 },
    async (name) => {
      const { dataDirectory = '', databaseUrl } = database().flags;
      const settings = { EXAMPLE_DATA: dataDirectory };
      await run(name, databaseUrl === undefined ? settings : { ...settings, DATABASE_URL: databaseUrl });
    },
  );
});

describe('examples without a store', () => {
  it.each(withoutStore)('%s runs and passes its own checks', { timeout: 180_000 }, (name) => run(name));
});
