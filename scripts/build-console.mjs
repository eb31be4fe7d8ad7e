import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Builds the console, unless it was built from the same sources before. */
const root = fileURLToPath(new URL('../', import.meta.url));
const first = join(root, 'packages/server/dist/console/index.html');
const stamp = join(root, 'packages/server/dist/console.built-from');

const sources = ['packages/console', 'packages/agent/src', 'packages/client/src', 'packages/core/src'].flatMap(
  (directory) =>
    readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/[\\/](dist|test|node_modules)([\\/]|$)/.test(`${entry.parentPath}/`))
      .map((entry) => join(entry.parentPath, entry.name)),
);
const hash = createHash('sha256');
for (const path of [
  ...sources.filter((path) => !path.endsWith('.tsbuildinfo')),
  join(root, 'package-lock.json'),
].sort()) {
  hash.update(path).update(readFileSync(path));
}
const builtFrom = hash.digest('hex');

if (!existsSync(first) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== builtFrom) {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'packages/console/vite.config.ts'), logLevel: 'warn' });
  writeFileSync(stamp, builtFrom);
}
