import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedPackages } from '../../../../scripts/package/published-packages.mjs';
import { nodeProgram } from '../packed/support/node-versions.js';
import { freePort } from '../support/postgres-cluster.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const image = 'localhost/memhall:test';
const container = 'memhall-test';
const minutes = 60_000;

/** There is no registry to pull from, so the base images are made from Debian's packages, without what their namesakes lack. */
const makeBases = `
set -eu
mmdebstrap --quiet --variant=minbase --include=usr-is-merged \\
  --customize-hook='chroot "$1" apt-get purge -q -y --autoremove usrmerge perl perl-modules-5.36 libperl5.36' bookworm "$WORK/debian.tar"
make() {
  container=$(buildah from scratch)
  mounted=$(buildah mount "$container")
  tar -C "$mounted" -xf "$WORK/debian.tar" --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale --exclude=./var/lib/apt/lists --exclude=./var/cache
  if [ "$2" = node ]; then
    mkdir -p "$mounted/usr/local/lib/node_modules"
    cp "$NODE" "$mounted/usr/local/bin/node"
    cp -r "$(npm root --global)/npm" "$mounted/usr/local/lib/node_modules/npm"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$mounted/usr/local/bin/npm"
  fi
  buildah umount "$container"
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit --quiet "$container" "$1"
  buildah rm "$container"
}
make docker.io/library/node:22-bookworm-slim node
make docker.io/library/debian:bookworm-slim plain
`;

/** The build installs packages the way this machine does: from the same registry, trusting the same certificates. */
const build = `
set -eu
cd "$ROOT"
{
  if [ -f "$HOME/.npmrc" ]; then cat "$HOME/.npmrc"; fi
  printf '\\nregistry=%s\\ncafile=/etc/ssl/certs/ca-certificates.crt\\n' "$(npm config get registry)"
} > "$WORK/npmrc"
buildah bud --isolation chroot --format docker --pull-never --layers=false --volume /etc/ssl/certs:/etc/ssl/certs:ro \\
  --volume "$WORK/npmrc:/root/.npmrc:ro" --tag "$IMAGE" .
buildah from --pull-never --name "$CONTAINER" "$IMAGE"
mkdir "$WORK/data"
chown 1000:1000 "$WORK/data"
`;

/** Runs a program as the image says, on a root file system that is read-only, with a volume and a temporary directory. */
const runReadOnly = `
set -eu
mounted=$(buildah mount "$CONTAINER")
exec unshare --mount sh -euc '
  mount --bind "$0" "$0"
  mount -o remount,bind,ro "$0"
  mount --bind "$WORK/data" "$0/data"
  mount -t tmpfs tmpfs "$0/tmp"
  mount --rbind /proc "$0/proc"
  mount --rbind /dev "$0/dev"
  exec chroot --userspec="$OWNER" "$0" /usr/bin/env --ignore-environment --chdir="$DIRECTORY" "$@"' "$mounted" "$@"
`;

function run(script: string, ...args: string[]): string {
  return execFileSync('bash', ['-c', script, 'bash', ...args], {
    encoding: 'utf8',
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function environment(): NodeJS.ProcessEnv {
  const [DIRECTORY, OWNER] = [config.WorkingDir, config.User];
  const given = { ROOT: root, IMAGE: image, CONTAINER: container, WORK: work, NODE: nodeProgram('22') };
  return { ...process.env, ...given, DIRECTORY, OWNER };
}

interface ImageConfig {
  User: string;
  WorkingDir: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  Healthcheck: { Test: string[] };
}

let work = '';
let config: Partial<ImageConfig> = {};
let settings: string[];
let port: number;

describe('the image', () => {
  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'memhall-image-'));
    run(makeBases);
    run(build);
    config = JSON.parse(run('buildah inspect --type image "$IMAGE"')).Docker.config;
    port = await freePort();
    // A busy machine must not make it shed load, and recall waits for the model.
    const ofTest = [`MEMHALL_PORT=${port}`, 'MEMHALL_SHED_DELAY_MS=0', 'MEMHALL_EMBEDDER_START=wait'];
    settings = [...(config.Env ?? []), ...ofTest];
  }, 40 * minutes);
  afterAll(() => {
    run('buildah umount "$CONTAINER"; buildah rm "$CONTAINER"; buildah rmi --force "$IMAGE"; true');
    rmSync(work, { recursive: true, force: true });
  });

  it('is smaller than 400 MB', () => {
    const [{ size }] = JSON.parse(run('buildah images --json "$IMAGE"')) as [{ size: string }];
    const [amount, unit] = size.split(' ');
    process.stdout.write(`The image has ${size}.\n`);
    expect({ size, isSmall: unit === 'MB' && Number(amount) < 400 }).toEqual({ size, isSmall: true });
  });

  it('has what Azure and tracing need', () => {
    const peers = Object.keys(publishedPackages.find(({ directory }) => directory === 'server')?.peers ?? {});
    expect(peers).toContain('@azure/identity');
    const load = `await Promise.all(${JSON.stringify(peers)}.map((name) => import(name))); console.log('loaded')`;
    expect(run(runReadOnly, ...settings, 'node', '--input-type=module', '--eval', load)).toBe('loaded\n');
  });

  it(
    'serves as an ordinary user on a read-only file system, is healthy, remembers, and recalls by meaning',
    async () => {
      expect(config.User).toBe('1000:1000');
      const { Entrypoint = [], Cmd = [], Healthcheck } = config;
      const server = spawn('bash', ['-c', runReadOnly, 'bash', ...settings, ...Entrypoint, ...Cmd, '--json'], {
        env: environment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
        expect(JSON.parse((await lines.next()).value).url).toBe(`http://127.0.0.1:${port}`);
        run(runReadOnly, ...settings, ...(Healthcheck?.Test.slice(1) ?? ['false']));
        const token = run(runReadOnly, ...settings, 'memhall', 'token', '--tenant', 't', '--user', 'u').trim();
        const call = async (path: string, body: object, headers = { authorization: `Bearer ${token}` }) => {
          const response = await fetch(`http://127.0.0.1:${port}${path}`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          return { status: response.status, body: await response.json() };
        };
        expect((await call('/v1/remember', { content: 'My dog sleeps on the sofa.' })).status).toBe(201);
        const found = await call('/v1/recall', { query: 'pet napping', explain: true });
        expect(found.body.results).toMatchObject([
          { text: 'My dog sleeps on the sofa.', explain: { cosine: expect.any(Number) } },
        ]);
        expect((await call('/users', { user_id: 'x' }, { authorization: '' })).status).toBe(401);
      } finally {
        const ended = new Promise((done) => server.once('close', done));
        server.kill('SIGTERM');
        expect(await ended).toBe(0);
      }
      expect(() => run(runReadOnly, ...settings, ...(Healthcheck?.Test.slice(1) ?? ['true']))).toThrow();
    },
    10 * minutes,
  );
});
