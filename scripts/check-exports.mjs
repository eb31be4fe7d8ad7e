// Checks that every export is used by another file, tests included, and that what threads call by name is exported.
// Run by `npm run check`.
import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listSourceFiles } from './source-files.mjs';

/** @typedef {{ path: string, text: string }} SourceFile */

const root = fileURLToPath(new URL('../', import.meta.url));
/** The declarations of other files need these names. */
const declared = new Set(['IssuerSetting', 'McpHttpServices', 'McpMetadataServices']);
/** Folders whose code uses the packages. */
const users = ['packages', 'scripts', 'benchmarks', 'examples', 'models'];
const exportPattern =
  /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;
/** A task of a thread: `{ module: import.meta.url, name: task.name }`, or `run: task`. */
const taskPattern = /module: import\.meta\.url,\s*(?:name: ([A-Za-z_$][\w$]*)\.name|run: ([A-Za-z_$][\w$]*))/g;
const wordPattern = /[A-Za-z_$][\w$]*/g;

/**
 * Returns one line per export of `sources` whose name occurs in no other file of `all`, and one per task of a thread that is not
 * exported. Public entries are exempt.
 * @param {readonly SourceFile[]} sources @param {readonly SourceFile[]} all
 */
export function findUnusedExports(sources, all) {
  /** @type {Map<string, number>} */
  const filesWith = new Map();
  for (const { text } of all) {
    for (const word of new Set(text.match(wordPattern))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
  }
  return sources.flatMap(({ path, text }) => {
    const exported = new Set([...text.matchAll(exportPattern)].map(([, name = '']) => name));
    const tasks = new Set([...text.matchAll(taskPattern)].map(([, name, run]) => name ?? run ?? ''));
    const isUnused = (/** @type {string} */ name) =>
      !declared.has(name) && !tasks.has(name) && (filesWith.get(name) ?? 0) < 2;
    return [
      ...[...exported].filter(isUnused).map((name) => `${path}: ${name} is used in this file only: do not export it`),
      ...[...tasks].filter((name) => !exported.has(name)).map((name) => `${path}: ${name} runs in a thread: export it`),
    ];
  });
}

/** Files that packages export under a name. @returns {Set<string>} */
function listEntries() {
  const entries = readdirSync(`${root}packages`).flatMap((name) => {
    const { exports = {} } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'));
    return [...JSON.stringify(exports).matchAll(/src\/[^"]+\.ts/g)].map(([file]) => `packages/${name}/${file}`);
  });
  return new Set(entries);
}

/** @returns {string[]} */
function listUsers() {
  return users.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs|cjs|js)$/.test(entry.name))
      .map((entry) => relative(root, `${entry.parentPath}/${entry.name}`).split(sep).join('/'))
      .filter((path) => !/(^|\/)(node_modules|dist|database)\//.test(path)),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  /** @param {string} path */
  const read = (path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') });
  const entries = listEntries();
  const sources = listSourceFiles().filter(
    (path) => !entries.has(path) && !path.includes('/generated/') && !/\.test\.tsx?$/.test(path),
  );
  const unused = findUnusedExports(sources.map(read), listUsers().map(read));
  for (const line of unused) console.error(line);
  console.log(`Exports: ${sources.length} files, ${unused.length} violations.`);
  process.exitCode = unused.length === 0 ? 0 : 1;
}
