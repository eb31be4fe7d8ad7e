// Checks what may depend on what. Run by `npm run check`; the rules below are the whole truth about layers.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listSourceFiles } from './source-files.mjs';

/** Which workspace packages a package may import. */
export const packageRules = {
  core: [],
  server: ['@memhall/conformance', '@memhall/core'],
  client: ['@memhall/core'],
  agent: ['@memhall/client', '@memhall/client/documents', '@memhall/core'],
  conformance: [],
};

/** Which folders of packages/server/src a folder may import, besides itself. `main` is the files directly in it. */
export const layerRules = {
  config: [],
  ports: [],
  engine: ['ports'],
  store: ['ports'],
  providers: ['ports'],
  telemetry: [],
  jobs: ['engine', 'ports'],
  http: ['engine', 'ports'],
  surfaces: ['engine', 'http', 'ports'],
  composition: ['config', 'engine', 'http', 'jobs', 'ports', 'providers', 'store', 'surfaces'],
  main: ['composition', 'config', 'engine', 'http', 'ports', 'surfaces', 'telemetry'],
  cli: ['composition', 'config', 'engine', 'http', 'main', 'surfaces'],
};

/** The one file that hands the environment on; everything else is given its configuration. */
const environmentReader = 'packages/server/src/cli/run-command-line.ts';

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** @typedef {{ path: string, text: string }} SourceFile */

/** @param {string} text @returns {{ specifier: string, typeOnly: boolean }[]} */
export function importsOf(text) {
  return [...text.matchAll(importPattern)].map((match) => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }));
}

/** @param {SourceFile[]} files @returns {string[]} one line per violation */
export function findViolations(files) {
  const production = files.filter(({ path }) => !/\.test\.ts$|-contract\.ts$|\/test-support\//.test(path));
  return [...production.flatMap(checkFile), ...findCycles(production)];
}

/** @param {SourceFile} file */
function checkFile({ path, text }) {
  const [, packageName = ''] = path.split('/');
  const violations = importsOf(text).flatMap(({ specifier }) => {
    const reason = specifier.startsWith('.')
      ? forbiddenInside(path, resolveImport(path, specifier))
      : forbiddenPackage(packageName, specifier);
    return reason === undefined ? [] : [`${path}: ${reason} (${specifier})`];
  });
  if (path !== environmentReader && text.includes('process.env')) violations.push(`${path}: reads process.env`);
  if (/\/src\/.+\/index\.ts$/.test(path)) violations.push(`${path}: index.ts is for a package's public entry only`);
  return violations;
}

/** @param {string} packageName @param {string} specifier */
function forbiddenPackage(packageName, specifier) {
  const own = specifier === 'memhall' || specifier.startsWith('@memhall/');
  const allowed = packageRules[/** @type {keyof typeof packageRules} */ (packageName)] ?? [];
  if (own && !allowed.includes(/** @type {never} */ (specifier))) return `package ${packageName} must not import it`;
  if (packageName === 'client' && !own) return 'the client has no dependencies';
  if (packageName === 'core' && specifier.startsWith('node:')) return 'core has no I/O and runs anywhere';
  return undefined;
}

/** @param {string} path @param {string} target */
function forbiddenInside(path, target) {
  if (dirname(path).split('/').slice(0, 3).join('/') !== target.split('/').slice(0, 3).join('/'))
    return 'leaves its package';
  if (!path.startsWith('packages/server/src/')) return undefined;
  const from = layerOf(path);
  const to = layerOf(target);
  if (from === 'surfaces' && to === 'surfaces' && surfaceOf(path) !== surfaceOf(target))
    return 'a surface must not import another';
  const allowed = layerRules[/** @type {keyof typeof layerRules} */ (from)];
  if (allowed === undefined) return `no rule for the folder ${from}`;
  if (from !== to && !allowed.includes(/** @type {never} */ (to))) return `${from} must not import ${to}`;
  return undefined;
}

/** @param {string} path */
function layerOf(path) {
  const parts = path.split('/').slice(3);
  if (parts.length > 1) return parts[0] ?? '';
  return 'main';
}

/** @param {string} path */
function surfaceOf(path) {
  return path.split('/')[4];
}

/** @param {string} from @param {string} specifier */
function resolveImport(from, specifier) {
  return normalize(join(dirname(from), specifier)).replace(/\.js$/, '.ts');
}

/** Type-only imports are erased, so they make no cycle. @param {SourceFile[]} files */
function findCycles(files) {
  const graph = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith('.'))
        .map(({ specifier }) => resolveImport(path, specifier)),
    ]),
  );
  /** @type {string[]} */
  const cycles = [];
  const done = new Set();
  /** @param {string} path @param {string[]} trail */
  const visit = (path, trail) => {
    const at = trail.indexOf(path);
    if (at !== -1) cycles.push(`cycle: ${[...trail.slice(at), path].join(' → ')}`);
    if (at !== -1 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = listSourceFiles().map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const violations = findViolations(files);
  for (const violation of violations) console.error(violation);
  console.log(`Imports: ${files.length} files, ${violations.length} violations.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
