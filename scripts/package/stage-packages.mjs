import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePackage, modulesLoadedByPath } from './bundle-package.mjs';
import { bundleTypes } from './bundle-types.mjs';
import { readManifest, writeManifest } from './manifest.mjs';
import { publishedPackages } from './published-packages.mjs';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Makes a directory for each package, as it is published: bundled, with its types, license and README. Needs `npm run build`.
 * @param {string} to
 * @returns {Promise<string[]>} the directories
 */
export async function stagePackages(to) {
  rmSync(to, { recursive: true, force: true });
  return Promise.all(publishedPackages.map((published) => stagePackage(published, join(to, published.directory))));
}

/** @param {import('./published-packages.mjs').PublishedPackage} published @param {string} to @returns {Promise<string>} the directory */
export async function stagePackage({ directory, keeps = [], peers = {}, copies = [] }, to) {
  const source = join(root, 'packages', directory);
  const manifest = publishedManifest(readManifest(source), keeps, peers);
  const from = `${join(source, 'dist')}/`;
  const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const exported = Object.values(manifest.exports).map((target) => target.default.slice('./dist/'.length));
  const entries = Object.fromEntries([
    ...[...exported, ...modulesLoadedByPath(from).map((path) => `${path}.js`)].map((path) => [
      path.replace(/\.js$/, ''),
      path,
    ]),
    ...commandsOf(source),
  ]);
  const libraries = await bundlePackage({ entries, from, to: join(to, 'dist'), external });
  const names = exported.map((path) => path.replace(/\.js$/, ''));
  await bundleTypes({ entries: names, from, to: join(to, 'dist'), external });
  for (const name of [...copies, ...(manifest.bin === undefined ? [] : ['bin'])])
    cpSync(join(source, name), join(to, name), { recursive: true });
  cpSync(join(source, 'README.md'), join(to, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
  if (libraries.length > 0) writeFileSync(join(to, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses(libraries));
  rmSync(join(to, 'database', 'made-from'), { force: true });
  writeManifest(to, manifest);
  return to;
}

/** Programs in `bin` load `dist/command`, which the bundle makes from `dist/cli`. @param {string} source */
function commandsOf(source) {
  const directory = join(source, 'bin');
  const files = readdirSync(source).includes('bin') ? readdirSync(directory) : [];
  return files.flatMap((file) =>
    [...readFileSync(join(directory, file), 'utf8').matchAll(/'\.\.\/dist\/([^']+)\.js'/g)].map(([, path = '']) => [
      path,
      `${path.replace(/^command\//, 'cli/')}.js`,
    ]),
  );
}

/**
 * Optional dependencies become optional peers, which npm does not install.
 * @param {import('./manifest.mjs').Manifest} source
 * @param {string[]} keeps
 * @param {Record<string, string>} peers
 * @returns {import('./manifest.mjs').Manifest}
 */
function publishedManifest(
  { devDependencies, optionalDependencies, dependencies, exports, files, ...source },
  keeps,
  peers,
) {
  const optional = Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }]));
  const unlisted = Object.keys(optionalDependencies ?? {}).filter((name) => peers[name] === undefined);
  if (unlisted.length > 0)
    throw new Error(`published-packages.mjs does not say which versions of ${unlisted} can be used`);
  return {
    ...source,
    publishConfig: { access: 'public', provenance: true },
    exports: Object.fromEntries(
      Object.entries(exports).map(([path, { 'memhall-source': _, ...targets }]) => [path, targets]),
    ),
    ...(source.name === 'memhall' && { imports: { '#onnxruntime': 'onnxruntime-node' } }),
    dependencies: Object.fromEntries(keeps.map((name) => [name, installedVersion(name)])),
    peerDependencies: { ...source.peerDependencies, ...peers },
    peerDependenciesMeta: { ...source.peerDependenciesMeta, ...optional },
  };
}

/** What was tested is what users get. @param {string} name @returns {string} */
function installedVersion(name) {
  return readManifest(join(root, 'node_modules', name)).version;
}
