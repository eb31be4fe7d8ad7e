import { readdirSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Returns the TypeScript sources of all packages, relative to the root, with forward slashes. */
export function listSourceFiles() {
  return readdirSync(`${root}packages`)
    .flatMap((name) =>
      readdirSync(`${root}packages/${name}/src`, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => relative(root, `${entry.parentPath}/${entry.name}`).split(sep).join('/')),
    )
    .sort();
}
