// Releases all packages under one version: npm run release -- <version> [--dry-run]. See docs/operate/releases.md.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackages } from '../package/pack-packages.mjs';
import { platforms } from '../package/published-packages.mjs';
import { bumpVersions, labelled, versioned } from './bump-versions.mjs';
import { releaseChangelog } from './changelog.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const flags = process.argv.slice(2);
const dryRun = flags.includes('--dry-run');
const version = flags.find((flag) => !flag.startsWith('--')) ?? '';
const changelog = join(root, 'CHANGELOG.md');
const manifests = versioned.map((directory) => `${directory}/package.json`);
/** The reference says which version it describes. */
const touched = ['CHANGELOG.md', 'package-lock.json', 'docs/reference', ...labelled, ...manifests];

/** @param {string} program @param {string[]} parameters */
function run(program, ...parameters) {
  execFileSync(program, parameters, { cwd: root, stdio: 'inherit' });
}

/** @param {string} program @param {string[]} parameters */
function read(program, ...parameters) {
  return execFileSync(program, parameters, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  }).toString();
}

function refuseUnfit() {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error('Usage: npm run release -- <version> [--dry-run]');
  if (read('git', 'status', '--porcelain').trim() !== '') throw new Error('There are changes that are not committed.');
  if (read('git', 'tag', '--list', `v${version}`).trim() !== '') throw new Error(`The tag v${version} exists.`);
}

/** @param {string} directory @param {string[]} tarballs */
function describe(directory, tarballs) {
  const lines = tarballs.map(
    (path) => `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${basename(path)}`,
  );
  writeFileSync(join(directory, 'SHA256SUMS'), `${lines.join('\n')}\n`);
  const sbom = read('npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev');
  writeFileSync(join(directory, `memhall-${version}.cdx.json`), sbom);
}

refuseUnfit();
if (!dryRun) run('npm', 'run', 'check');
try {
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, releaseChangelog(readFileSync(changelog, 'utf8'), version, date));
  bumpVersions(root, version);
  run('npm', 'install', '--package-lock-only', '--ignore-scripts');
  run('npm', 'run', 'generate');
  if (!dryRun) run('npm', 'run', 'test:package');
  const directory = join(root, 'dist', 'release', version);
  describe(directory, await packPackages(directory, platforms));
  console.log(`Packed ${version} in dist/release/${version}.`);
} catch (error) {
  run('git', 'checkout', '--', ...touched);
  throw error;
}
if (dryRun) {
  run('git', 'checkout', '--', ...touched);
} else {
  run('git', 'commit', '-m', `Memhall ${version}`, '--', ...touched);
  run('git', 'tag', '-a', `v${version}`, '-m', `Memhall ${version}`);
}
