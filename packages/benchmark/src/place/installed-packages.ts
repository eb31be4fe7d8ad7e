import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Says what to install. */
export class NotInstalled extends Error {}

/** Returns the directory of a package in the first of the projects that has it. */
export function packageDirectory(projects: readonly string[], name: string): string {
  return join(projectOf(projects, name), 'node_modules', name);
}

export function versionOf(projects: readonly string[], name: string): string {
  return JSON.parse(readFileSync(join(packageDirectory(projects, name), 'package.json'), 'utf8')).version;
}

/** Imports from the project that has the package, as its own code would. */
export async function importPackage(projects: readonly string[], specifier: string): Promise<Record<string, unknown>> {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const loader = writeLoader(projectOf(projects, name));
  const { load } = (await import(pathToFileURL(loader).href)) as {
    load: (specifier: string) => Promise<Record<string, unknown>>;
  };
  return load(specifier);
}

function projectOf(projects: readonly string[], name: string): string {
  const found = projects.map((one) => resolve(one)).find((one) => existsSync(join(one, 'node_modules', name)));
  if (found === undefined) {
    throw new NotInstalled(
      `${name} is not installed. Run \`npm install ${name}\` in a project of your own, and name its directory with --packages.`,
    );
  }
  return found;
}

/** Node looks for packages from the module that imports them, so a module in the project does. */
function writeLoader(project: string): string {
  const directory = join(project, 'node_modules', '.cache', 'memhall-benchmark');
  const path = join(directory, 'load.mjs');
  if (!existsSync(path)) {
    mkdirSync(directory, { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, 'export const load = (specifier) => import(specifier);\n');
    renameSync(draft, path);
  }
  return path;
}
