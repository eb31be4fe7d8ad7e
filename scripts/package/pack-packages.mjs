import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifest } from './manifest.mjs';
import { withNativeRuntime } from './native-runtime.mjs';
import { stagePackages } from './stage-packages.mjs';

const model = fileURLToPath(new URL('../../models/minilm', import.meta.url));

/** @typedef {{ os: string, cpu: string }} Platform */

/**
 * Packs every package, `memhall` once without the native runtime and once per platform, and the model. Needs `npm run build`.
 * @param {string} to
 * @param {readonly Platform[]} platforms
 * @returns {Promise<string[]>} the tarballs
 */
export async function packPackages(to, platforms) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const directories = await stagePackages(join(to, 'staged'));
  const tarballs = directories.flatMap((directory) => [
    pack(directory, to),
    ...(readManifest(directory).name === 'memhall'
      ? platforms.map((platform) => packFor(platform, directory, to))
      : []),
  ]);
  rmSync(join(to, 'staged'), { recursive: true });
  return [...tarballs, pack(model, to)];
}

/** @param {Platform} platform @param {string} directory @param {string} to */
function packFor(platform, directory, to) {
  const own = join(to, 'staged', `${platform.os}-${platform.cpu}`);
  mkdirSync(own);
  const tarball = withNativeRuntime(directory, platform, () => pack(directory, own));
  const named = join(to, `memhall-${readManifest(directory).version}-${platform.os}-${platform.cpu}.tgz`);
  renameSync(tarball, named);
  return named;
}

/** @param {string} directory @param {string} to @returns {string} the tarball */
function pack(directory, to) {
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const packed = JSON.parse(output.toString());
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
  return join(to, filename.replace('@', '').replace('/', '-'));
}
