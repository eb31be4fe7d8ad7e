import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Directories of all packages. They have one version. */
export const versioned = [
  '.',
  ...['agent', 'client', 'conformance', 'core', 'server'].map((name) => `packages/${name}`),
  'models/minilm',
];

/**
 * Sets the version of every package, and of every dependency between them.
 * @param {string} root
 * @param {string} version
 */
export function bumpVersions(root, version) {
  for (const directory of versioned) {
    const path = join(root, directory, 'package.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    manifest.version = version;
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (name.startsWith('@memhall/')) manifest.dependencies[name] = version;
    }
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  }
}
