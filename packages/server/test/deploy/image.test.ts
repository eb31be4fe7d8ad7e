import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const image = 'localhost/memhall:test';
const container = 'memhall-test';
const minutes = 60_000;

/** There is no registry to pull from, so the base images are made from Debian's packages and the Node of this machine. */
const makeBases = `
set -eu
mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$WORK/debian.tar"
make() {
  container=$(buildah from scratch)
  mounted=$(buildah mount "$container")
  tar -C "$mounted" -xf "$WORK/debian.tar" --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale --exclude=./var/lib/apt/lists --exclude=./var/cache
  if [ "$2" = node ]; then
    mkdir -p "$mounted/usr/local/lib/node_modules"
    cp "$(command -v node)" "$mounted/usr/local/bin/node"
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

/** The build may install packages the way this machine does. */
const build = `
set -eu
cd "$ROOT"
if [ -f "$HOME/.npmrc" ]; then settings="--volume $HOME/.npmrc:/root/.npmrc:ro"; fi
certificates=/etc/ssl/certs/ca-certificates.crt
buildah bud --isolation chroot --pull-never --layers=false --volume /etc/ssl/certs:/etc/ssl/certs:ro \${settings:-} \\
  --env NODE_EXTRA_CA_CERTS=$certificates --env npm_config_cafile=$certificates --tag "$IMAGE" .
buildah from --pull-never --name "$CONTAINER" "$IMAGE"
`;

function run(script: string): string {
  return execFileSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, ROOT: root, IMAGE: image, CONTAINER: container, WORK: work },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

let work = '';

describe('the image', () => {
  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), 'memhall-image-'));
    run(makeBases);
    run(build);
  }, 30 * minutes);
  afterAll(() => {
    run('buildah rm "$CONTAINER" || true; buildah rmi --force "$IMAGE" || true');
    rmSync(work, { recursive: true, force: true });
  });

  it('is smaller than 400 MB', () => {
    const [{ size }] = JSON.parse(run('buildah images --json "$IMAGE"')) as [{ size: string }];
    const [amount, unit] = size.split(' ');
    expect({ size, isSmall: unit === 'MB' && Number(amount) < 400 }).toEqual({ size, isSmall: true });
  });

  it(
    'serves as an ordinary user, remembers and recalls by meaning, and writes only to its data and /tmp',
    async () => {
      const started = join(work, 'started');
      writeFileSync(started, '');
      const server = spawn('buildah', [
        'run',
        '--isolation',
        'chroot',
        container,
        '--',
        'memhall',
        'serve',
        '--json',
        '--port',
        '0',
      ]);
      try {
        const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
        const { url } = JSON.parse((await lines.next()).value) as { url: string };
        const base = url.replace('0.0.0.0', '127.0.0.1');
        const token = run('buildah run --isolation chroot "$CONTAINER" -- memhall token --tenant t --user u').trim();
        const call = async (path: string, body: object) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
          return { status: response.status, body: await response.json() };
        };
        expect((await fetch(`${base}/ready`)).status).toBe(200);
        expect((await call('/v1/remember', { content: 'My dog sleeps on the sofa.' })).status).toBe(201);
        const found = await call('/v1/recall', { query: 'pet napping', explain: true });
        expect(found.body.results).toMatchObject([
          { text: 'My dog sleeps on the sofa.', explain: { cosine: expect.any(Number) } },
        ]);
        expect(
          (
            await fetch(`${base}/users`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: '{"user_id":"x"}',
            })
          ).status,
        ).toBe(401);
        expect(run('buildah run --isolation chroot "$CONTAINER" -- id -u').trim()).toBe('1000');
      } finally {
        const ended = new Promise((done) => server.once('close', done));
        server.kill('SIGTERM');
        await ended;
      }
      const written = run(
        'mounted=$(buildah mount "$CONTAINER"); find "$mounted" -xdev -type f -newer "$WORK/started" -printf "%P\\n"; buildah umount "$CONTAINER" > /dev/null',
      );
      const outside = written
        .split('\n')
        .filter((path) => path !== '' && !/^(data|tmp|run|etc\/(hosts|resolv\.conf|hostname))\b/.test(path));
      expect(outside).toEqual([]);
    },
    5 * minutes,
  );
});
