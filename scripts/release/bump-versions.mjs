import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = readdirSync(new URL('../../packages', import.meta.url)).sort();

/** Directories of all packages. They have one version. */
export const versioned = ['.', ...packages.map((name) => `packages/${name}`), 'models/minilm'];

/** Other files that name the version, in lines that begin with one of these words. */
export const labelled = ['deploy/helm/memhall/Chart.yaml', 'compose.yaml', 'clients/python/pyproject.toml'];
const labels = /^( *(?:version|appVersion|image)\b.*)/gm;

/**
 * Sets the version of every package, and of every dependency between them.
 * @param {string} root
 * @param {string} version
 */
export function bumpVersions(root, version) {
  const { version: former } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const path of labelled.map((one) => join(root, one))) {
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(labels, (line) => line.replace(former, version)),
    );
  }
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
