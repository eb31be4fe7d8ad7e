import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  databaseProxyConfiguration,
  nodesProxyConfiguration,
  patroniConfiguration,
  poolerConfiguration,
} from './configuration.mjs';
import { Network } from './network.mjs';
import { run, Service } from './processes.mjs';

const program = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));
const startMs = 120_000;

/** Returns what the cluster needs and this machine lacks. */
export function missingParts() {
  const programs = ['haproxy', 'pgbouncer', 'nft'].map((name) => `/usr/sbin/${name}`);
  const missing = [...programs, '/usr/bin/patroni', '/usr/bin/etcd', '/usr/bin/setpriv'].filter(
    (file) => !existsSync(file),
  );
  if (!existsSync('/usr/lib/postgresql')) missing.push('PostgreSQL');
  if (process.getuid() !== 0) missing.push('the rights of root, for network namespaces');
  return missing;
}

/**
 * A whole Memhall on this machine: nodes and workers behind HAProxy, PgBouncer, and two PostgreSQL servers with Patroni and etcd. All
 * files are in one temporary directory. Only loopback and a network of its own are used.
 */
export class Cluster {
  #directory;
  #network;
  #user;
  #settings;
  #services = new Map();
  #databases = [];
  #mounts = [];

  /** `dataMegabytes` puts the data of each database server into a file system of this size. */
  static async start({ nodes = 3, workers = 2, dataMegabytes, settings = {} } = {}) {
    const cluster = new Cluster(settings);
    try {
      await cluster.#start({ nodes, workers, dataMegabytes });
      return cluster;
    } catch (error) {
      await cluster.stop({ keepFiles: true });
      throw new Error(`the cluster does not start: see ${cluster.#directory}`, { cause: error });
    }
  }

  constructor(settings) {
    this.#directory = mkdtempSync(join(tmpdir(), 'memhall-cluster-'));
    chmodSync(this.#directory, 0o755);
    mkdirSync(join(this.#directory, 'memhall'), { mode: 0o700 });
    this.#user = { uid: Number(run('id', ['-u', 'postgres'])), gid: Number(run('id', ['-g', 'postgres'])) };
    this.#settings = settings;
  }

  get directory() {
    return this.#directory;
  }

  service(name) {
    const found = this.#services.get(name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }

  get names() {
    return [...this.#services.keys()];
  }

  async #start({ nodes, workers, dataMegabytes }) {
    this.#network = new Network(randomBytes(2).toString('hex'));
    const password = randomBytes(12).toString('hex');
    const etcd = `${this.#network.host}:${await freePort()}`;
    this.#startEtcd(etcd, await freePort());
    for (const number of [1, 2]) this.#startDatabase(number, { etcd, password, dataMegabytes });
    const [proxyPort, poolerPort, port] = [await freePort(), await freePort(), await freePort()];
    this.#startProgram(
      'database-proxy',
      '/usr/sbin/haproxy',
      databaseProxyConfiguration({ port: proxyPort, servers: this.#databases }),
    );
    const users = this.#file('users.txt', `"postgres" "${password}"\n`);
    this.#startProgram(
      'pooler',
      '/usr/sbin/pgbouncer',
      poolerConfiguration({ port: poolerPort, proxyPort, users, size: 20 }),
    );
    await this.waitForPrimary();
    await until(startMs, 'a standby that takes part in every commit', async () =>
      (await this.members()).some(({ role }) => role === 'sync_standby'),
    );
    this.databaseUrl = `postgres://postgres:${password}@127.0.0.1:${poolerPort}/postgres`;
    this.directUrl = `postgres://postgres:${password}@127.0.0.1:${proxyPort}/postgres`;
    run(process.execPath, [program, 'migrate'], { env: { ...process.env, ...this.#environment() } });
    const ports = await Promise.all(Array.from({ length: nodes }, () => freePort()));
    for (const [index, nodePort] of ports.entries()) this.#startNode(`node${index + 1}`, nodePort);
    for (let number = 1; number <= workers; number++) this.#startMemhall(`worker${number}`, ['worker', '--json']);
    this.#startProgram('proxy', '/usr/sbin/haproxy', nodesProxyConfiguration({ port, nodes: ports }));
    this.url = `http://127.0.0.1:${port}`;
    this.nodeUrls = ports.map((nodePort) => `http://127.0.0.1:${nodePort}`);
    for (const url of [...this.nodeUrls, this.url]) await until(startMs, `${url}/ready`, () => answers(`${url}/ready`));
  }

  #startEtcd(client, peerPort) {
    const peer = `http://127.0.0.1:${peerPort}`;
    const args = [
      ...['--data-dir', this.#directoryOf('etcd'), '--name', 'etcd', '--unsafe-no-fsync'],
      ...['--listen-client-urls', `http://${client}`, '--advertise-client-urls', `http://${client}`],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`],
    ];
    this.#add('etcd', { file: '/usr/bin/etcd', args, ...this.#user });
  }

  #startDatabase(number, { etcd, password, dataMegabytes }) {
    const name = `postgres${number}`;
    const { name: namespace, address } = this.#network.add(number);
    const data = join(this.#directoryOf(name), 'data');
    if (dataMegabytes !== undefined) {
      const options = `size=${dataMegabytes}m,uid=${this.#user.uid},gid=${this.#user.gid},mode=0700`;
      run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', this.#directoryOf(name)]);
      this.#mounts.push(this.#directoryOf(name));
    }
    const [major] = readdirSync('/usr/lib/postgresql').sort((one, other) => Number(other) - Number(one));
    const binaries = `/usr/lib/postgresql/${major}/bin`;
    const file = this.#file(`${name}.json`, patroniConfiguration({ name, address, etcd, data, binaries, password }));
    const { uid, gid } = this.#user;
    const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    // `ip netns exec` becomes the program: signals reach Patroni itself.
    this.#add(name, { file: 'ip', args: ['netns', 'exec', namespace, ...asUser, '/usr/bin/patroni', file] });
    this.#databases.push({ name, namespace, address, data });
  }

  #startProgram(name, file, configuration) {
    const path = this.#file(`${name}.cfg`, configuration);
    this.#add(name, { file, args: name === 'pooler' ? ['-q', path] : ['-db', '-q', '-f', path], ...this.#user });
  }

  #startNode(name, port) {
    this.#startMemhall(name, ['serve', '--json', '--no-jobs', '--plugin-port', 'off', '--port', String(port)]);
  }

  #startMemhall(name, args) {
    this.#add(name, { file: process.execPath, args: [program, ...args], env: this.#environment() });
  }

  #environment() {
    return {
      DATABASE_URL: this.databaseUrl,
      MEMHALL_DATABASE_DIRECT_URL: this.directUrl,
      MEMHALL_DATA: join(this.#directory, 'memhall'),
      MEMHALL_DRAIN_MS: '1500',
      MEMHALL_STATEMENT_TIMEOUT_MS: '5000',
      MEMHALL_EMBEDDER: 'none',
      MEMHALL_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      MEMHALL_LOG_LEVEL: 'warn',
      ...this.#settings,
    };
  }

  #add(name, command) {
    this.#services.set(name, new Service(name, { ...command, log: join(this.#directory, `${name}.log`) }));
  }

  #directoryOf(name) {
    const path = join(this.#directory, name);
    if (!existsSync(path)) {
      mkdirSync(path, { mode: 0o700 });
      chownSync(path, this.#user.uid, this.#user.gid);
    }
    return path;
  }

  #file(name, content) {
    const path = join(this.#directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    chownSync(path, this.#user.uid, this.#user.gid);
    return path;
  }

  /** What Patroni says about its servers; empty while none of them responds. */
  async members() {
    for (const { address } of this.#databases) {
      try {
        const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1000) });
        return (await response.json()).members;
      } catch {}
    }
    return [];
  }

  /** Resolves with the name of the server that is the primary by its own account. */
  waitForPrimary(timeoutMs = startMs) {
    return until(timeoutMs, 'a primary', async () => {
      for (const { name, address } of this.#databases) if (await answers(`http://${address}:8008/primary`)) return name;
    });
  }

  /** Resolves once both servers are there again and every commit waits for the standby. */
  waitUntilWhole(timeoutMs = startMs) {
    return until(timeoutMs, 'two servers in step', async () => {
      const members = await this.members();
      const standby = members.find(({ role }) => role === 'sync_standby');
      return members.length === 2 && standby !== undefined && ['running', 'streaming'].includes(standby.state);
    });
  }

  #database(name) {
    const found = this.#databases.find((database) => database.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }

  /** The processes of a database server and of its Patroni. */
  #processesOf(name) {
    return run('ip', ['netns', 'pids', this.#database(name).namespace])
      .split('\n')
      .filter(Boolean)
      .map(Number);
  }

  /** Sends a signal to a database server, all its sessions, and its Patroni, as if the machine had ended or stood still. */
  signalDatabase(name, signal) {
    for (const id of this.#processesOf(name)) {
      try {
        process.kill(id, signal);
      } catch {}
    }
  }

  /** Starts Patroni again on a server whose processes were killed. */
  restartDatabase(name) {
    this.service(name).start();
  }

  cut(name) {
    this.#network.cut(this.#database(name).namespace);
  }

  mend(name) {
    this.#network.mend(this.#database(name).namespace);
  }

  /** Takes all space of the file system with the data of a server. Returns a function that gives it back. */
  fillDisk(name) {
    const file = join(this.#directoryOf(name), 'ballast');
    try {
      run('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M']);
    } catch {}
    return () => rmSync(file, { force: true });
  }

  async stop({ keepFiles = false } = {}) {
    for (const { name } of this.#databases) {
      try {
        this.mend(name);
        this.signalDatabase(name, 'SIGCONT');
      } catch {}
    }
    const services = [...this.#services.values()];
    const isDatabase = ({ name }) => this.#databases.some((database) => database.name === name);
    await Promise.all(services.filter((service) => !isDatabase(service)).map((service) => service.end('SIGKILL')));
    for (const { name } of this.#databases) this.signalDatabase(name, 'SIGKILL');
    await Promise.all(services.filter(isDatabase).map((service) => service.end('SIGKILL')));
    await sleep(200);
    this.#network?.remove(this.#databases.map(({ namespace }) => namespace));
    for (const mount of this.#mounts) run('umount', ['-l', mount]);
    if (!keepFiles) rmSync(this.#directory, { recursive: true, force: true });
  }
}

async function answers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).status === 200;
  } catch {
    return false;
  }
}

/** Asks until the answer is truthy, and returns it. */
export async function until(timeoutMs, what, ask) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(200)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error(`waited ${timeoutMs / 1000} seconds for ${what}`);
}

function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}
