import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeEachDatabase } from './support/databases.js';

const directory = fileURLToPath(new URL('../../../examples/', import.meta.url));
const examples = readdirSync(directory).filter((name) => name !== 'support');

describeEachDatabase('examples', (database) => {
  it.each(examples)('%s runs and passes its own checks', { timeout: 180_000 }, async (name) => {
    const { databaseUrl } = database().flags;
    const { TOKEN: _, DATABASE_URL: __, ...inherited } = process.env;
    const child = spawn(process.execPath, [`${directory}${name}/main.mjs`], {
      env: { ...inherited, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const code = await new Promise((done) => child.once('close', done));
    expect(code, output).toBe(0);
  });
});
