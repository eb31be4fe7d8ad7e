import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vitest/config';

/** Scripts of package.json whose names start with `test` build first. */
export const isBuilt = process.env.npm_lifecycle_event?.startsWith('test') ?? false;

/** What `dist` holds is loaded by Node as it is, which costs far less than to transform the sources. */
export const builtFiles = /\/packages\/[^/]+\/dist\//;

/** Imports the build of a module where a test imports its source. What is not built, such as support for tests, stays as it is. */
export const builtPackages: Plugin = {
  name: 'built-packages',
  enforce: 'pre',
  resolveId(specifier, importer) {
    if (!specifier.startsWith('.') || importer === undefined) return;
    const [, folder, module] = /^(.+\/packages\/[^/]+)\/src\/(.+)$/.exec(resolve(dirname(importer), specifier)) ?? [];
    const built = `${folder}/dist/${module}`;
    return existsSync(built) ? built : undefined;
  },
};
