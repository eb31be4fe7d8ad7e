// Checks what may depend on what, and who may write. Run by `npm run check`; the rules are in rooms.mjs.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineRooms, layers, packages, writers } from './rooms.mjs';
import { listSourceFiles } from './source-files.mjs';

/** Who may use the environment: the command line, processes that get one of their own, and what libraries read from nowhere else. All other code gets arguments. */
const environmentUsers = [
  'packages/benchmark/src/hosts/host.ts',
  'packages/server/src/cli/run-command-line.ts',
  'packages/server/src/providers/embedders/onnx-telemetry.ts',
];
const server = 'packages/server/src/';
/** Names the parts that use cases work with, by their types. */
const engineType = `${server}engine/engine.ts`;

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;
const writePattern = /(?:store|database)\s*\.(write|administer|erase|restore)\s*\(/gi;

/** @typedef {{ path: string, text: string }} SourceFile */
/** @typedef {Record<string, import('./rooms.mjs').Room>} Rooms */

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
  return [...production.flatMap(checkFile), ...findFileCycles(production)];
}

/** Checks the rules themselves: rooms that may import each other are one room. @param {Rooms} rooms @returns {string[]} */
export function findRuleFaults(rooms) {
  const unknown = Object.entries(rooms).flatMap(([name, { uses }]) =>
    uses.filter((used) => rooms[used] === undefined).map((used) => `rule of ${name}: there is no ${used}`),
  );
  return [...unknown, ...findCycles(new Map(Object.entries(rooms).map(([name, { uses }]) => [name, uses])))];
}

/** @param {SourceFile[]} files @returns {string[]} rooms without a file */
export function findEmptyRooms(files) {
  const used = new Set(files.flatMap(({ path }) => [layerOf(path), roomOf(path) ?? '']));
  return [...Object.keys(layers), ...Object.keys(engineRooms)].filter((name) => !used.has(name));
}

/** @param {SourceFile} file */
function checkFile({ path, text }) {
  const [, packageName = ''] = path.split('/');
  const violations = importsOf(text).flatMap(({ specifier, typeOnly }) => {
    const reason = specifier.startsWith('.')
      ? forbiddenInside(path, resolveImport(path, specifier), typeOnly)
      : forbiddenPackage(packageName, specifier);
    return reason === undefined ? [] : [`${path}: ${reason} (${specifier})`];
  });
  if (!environmentUsers.includes(path) && text.includes('process.env')) violations.push(`${path}: uses process.env`);
  if (/\/src\/.+\/index\.ts$/.test(path)) violations.push(`${path}: index.ts is for a package's public entry only`);
  return [...violations, ...directWrites(path, text)];
}

/** @param {string} path @param {string} text @returns {string[]} */
function directWrites(path, text) {
  if (!path.startsWith(server) || layerOf(path) === 'store') return [];
  const own = path.slice(server.length);
  return [...text.matchAll(writePattern)].flatMap(([, verb = '']) => {
    const allowed = writers[verb.toLowerCase()] ?? [];
    if (allowed.some((place) => own.startsWith(place))) return [];
    return [`${path}: calls store.${verb} itself: use engine/audit/mutate.ts, or maintain.ts for derived data`];
  });
}

/** @param {string} packageName @param {string} specifier */
function forbiddenPackage(packageName, specifier) {
  const own = specifier === 'memhall' || specifier.startsWith('@memhall/');
  if (own && !packages[packageName]?.uses.includes(specifier)) return `package ${packageName} must not import it`;
  if (packageName === 'client' && !own) return 'the client has no dependencies';
  if (packageName === 'core' && specifier.startsWith('node:')) return 'core has no I/O and runs anywhere';
  return undefined;
}

/** @param {string} path @param {string} target @param {boolean} typeOnly */
function forbiddenInside(path, target, typeOnly) {
  if (dirname(path).split('/').slice(0, 3).join('/') !== target.split('/').slice(0, 3).join('/'))
    return 'leaves its package';
  if (!path.startsWith(server)) return undefined;
  const from = layerOf(path);
  const to = layerOf(target);
  if (from === 'surfaces' && to === 'surfaces' && surfaceOf(path) !== surfaceOf(target))
    return 'a surface must not import another';
  if (layers[from] === undefined) return `no rule for the folder ${from}`;
  if (from !== to && !layers[from].uses.includes(to)) return `${from} must not import ${to}`;
  return from === 'engine' && to === 'engine' ? forbiddenRoom(path, target, typeOnly) : undefined;
}

/** @param {string} path @param {string} target @param {boolean} typeOnly */
function forbiddenRoom(path, target, typeOnly) {
  const from = roomOf(path);
  const to = roomOf(target);
  if (to === undefined || from === to) return undefined;
  if (from === undefined)
    return path === engineType && typeOnly ? undefined : `files directly in engine must not import engine/${to}`;
  const room = engineRooms[from];
  if (room === undefined) return `no rule for the folder engine/${from}`;
  // Outside of memories, its inner rooms count as one.
  const isAllowed =
    room.uses.includes(to) || (!from.startsWith('memories') && room.uses.includes(to.split('/')[0] ?? ''));
  return isAllowed ? undefined : `engine/${from} must not import engine/${to}`;
}

/** @param {string} path */
function layerOf(path) {
  const parts = path.split('/').slice(3);
  return parts.length > 1 ? (parts[0] ?? '') : 'main';
}

/** Returns the engine room of a file: the longest folder that has a rule. undefined for files directly in engine. @param {string} path */
function roomOf(path) {
  if (layerOf(path) !== 'engine') return undefined;
  const folders = path.slice(`${server}engine/`.length).split('/').slice(0, -1);
  if (folders.length === 0) return undefined;
  const inner = folders.slice(0, 2).join('/');
  return engineRooms[inner] === undefined ? folders[0] : inner;
}

/** @param {string} path */
function surfaceOf(path) {
  return path.split('/')[4];
}

/** @param {string} from @param {string} specifier */
function resolveImport(from, specifier) {
  return normalize(join(dirname(from), specifier)).replace(/\.js$/, '.ts');
}

/** Type-only imports are erased, so they do not count. @param {SourceFile[]} files */
function findFileCycles(files) {
  return findCycles(
    new Map(
      files.map(({ path, text }) => [
        path.replace(/\.tsx$/, '.ts'),
        importsOf(text)
          .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith('.'))
          .map(({ specifier }) => resolveImport(path, specifier)),
      ]),
    ),
  );
}

/** @param {Map<string, string[]>} graph @returns {string[]} */
function findCycles(graph) {
  /** @type {string[]} */
  const cycles = [];
  const done = new Set();
  /** @param {string} name @param {string[]} trail */
  const visit = (name, trail) => {
    const at = trail.indexOf(name);
    if (at !== -1) cycles.push(`cycle: ${[...trail.slice(at), name].join(' → ')}`);
    if (at !== -1 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return cycles;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = listSourceFiles().map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const violations = [
    ...findRuleFaults(layers),
    ...findRuleFaults(engineRooms),
    ...findEmptyRooms(files).map((name) => `rooms.mjs: there is no folder ${name}`),
    ...findViolations(files),
  ];
  for (const violation of violations) console.error(violation);
  console.log(`Imports: ${files.length} files, ${violations.length} violations.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
