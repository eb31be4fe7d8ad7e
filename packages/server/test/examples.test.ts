import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase, type TestDatabase } from './support/databases.js';

const directory = fileURLToPath(new URL('../../../examples/', import.meta.url));
/** Those with packages of their own run in `npm run test:frameworks`. */
const examples = readdirSync(directory).filter(
  (name) => name !== 'support' && !existsSync(`${directory}${name}/package.json`),
);
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

async function runOn(database: TestDatabase, name: string): Promise<void> {
  const { dataDirectory = '', databaseUrl } = database.flags;
  const settings = { EXAMPLE_DATA: dataDirectory };
  await run(name, databaseUrl === undefined ? settings : { ...settings, DATABASE_URL: databaseUrl });
}

/** The example that runs on both databases. The others make calls whose own tests do. */
const onBoth = 'working-memory';

describeOneDatabase('an example', (database) => {
  it(`${onBoth} runs and passes its own checks`, { timeout: 180_000 }, () => runOn(database(), onBoth));
});

describeOneDatabase('examples', (database) => {
  const others = examples.filter((name) => name !== onBoth && !withoutStore.includes(name));
  it.each(others)('%s runs and passes its own checks', { timeout: 180_000 }, (name) => runOn(database(), name));
});

describe('examples without a store', () => {
  it.each(withoutStore)('%s runs and passes its own checks', { timeout: 180_000 }, (name) => run(name));
});
