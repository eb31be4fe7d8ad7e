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
const diskGuard = fileURLToPath(new URL('disk-guard.mjs', import.meta.url));
const startMs = 120_000;

/** Returns what the cluster needs and this machine lacks. */
export function missingParts() {
  const programs = ['haproxy', 'pgbouncer', 'nft'].map((name) => `/usr/sbin/${name}`);
  const missing = [...programs, '/usr/bin/patroni', '/usr/bin/etcd', '/usr/bin/setpriv'].filter(
    (file) => !existsSync(file),
  );
  if (!existsSync('/usr/lib/postgresql')) missing.push('PostgreSQL');
  if (process.getuid?.() !== 0) missing.push('the rights of root, for network namespaces');
  return missing;
}

/**
 * A whole Memhall on this machine: nodes and workers behind HAProxy, PgBouncer, and two PostgreSQL servers with Patroni and etcd. All
 * files are in one temporary directory. Only loopback and a network of its own are used.
 */
export class Cluster {
  #directory;
  #network = new Network(randomBytes(2).toString('hex'));
  #user;
  #settings;
  /** @type {Map<string, Service>} */
  #services = new Map();
  /** @type {{ name: string, namespace: string, address: string }[]} */
  #databases = [];
  /** @type {string[]} */
  #mounts = [];
  databaseUrl = '';
  directUrl = '';
  /** Leads to the standby. */
  standbyUrl = '';
  url = '';
  /** @type {string[]} */
  nodeUrls = [];

  /**
   * `dataMegabytes` puts the data of each database server into a file system of this size.
   * @param {{ nodes?: number, workers?: number, dataMegabytes?: number, settings?: Record<string, string> }} options
   */
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

  /** @param {Record<string, string>} settings */
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

  /** @param {string} name */
  service(name) {
    const found = this.#services.get(name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }

  /** @param {{ nodes: number, workers: number, dataMegabytes: number | undefined }} options */
  async #start({ nodes, workers, dataMegabytes }) {
    const password = randomBytes(12).toString('hex');
    const etcd = `${this.#network.host}:${await freePort()}`;
    this.#startEtcd(etcd, await freePort());
    for (const number of [1, 2]) this.#startDatabase(number, { etcd, password, dataMegabytes });
    const [proxyPort, standbyPort] = [await freePort(), await freePort()];
    const [poolerPort, port] = [await freePort(), await freePort()];
    this.#startProgram(
      'database-proxy',
      '/usr/sbin/haproxy',
      databaseProxyConfiguration({ port: proxyPort, standbyPort, servers: this.#databases }),
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
    this.standbyUrl = `postgres://postgres:${password}@127.0.0.1:${standbyPort}/postgres`;
    run(process.execPath, [program, 'migrate'], { env: this.environment });
    const ports = await Promise.all(Array.from({ length: nodes }, () => freePort()));
    for (const [index, nodePort] of ports.entries()) this.#startNode(`node${index + 1}`, nodePort);
    for (let number = 1; number <= workers; number++) this.#startMemhall(`worker${number}`, ['worker', '--json']);
    this.#startProgram('proxy', '/usr/sbin/haproxy', nodesProxyConfiguration({ port, nodes: ports }));
    this.url = `http://127.0.0.1:${port}`;
    this.nodeUrls = ports.map((nodePort) => `http://127.0.0.1:${nodePort}`);
    for (const url of [...this.nodeUrls, this.url]) await this.waitUntilReady(url);
  }

  /** @param {string} client @param {number} peerPort */
  #startEtcd(client, peerPort) {
    const peer = `http://127.0.0.1:${peerPort}`;
    const args = [
      ...['--data-dir', this.#directoryOf('etcd'), '--name', 'etcd', '--unsafe-no-fsync'],
      ...['--listen-client-urls', `http://${client}`, '--advertise-client-urls', `http://${client}`],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`],
    ];
    this.#add('etcd', { file: '/usr/bin/etcd', args, ...this.#user });
  }

  /**
   * @param {number} number
   * @param {{ etcd: string, password: string, dataMegabytes: number | undefined }} options
   */
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
    const guarded = ['--directory', this.#directoryOf(name), '--patroni', `http://${address}:8008`, '--name', name];
    this.#add(`guard${number}`, { file: process.execPath, args: [diskGuard, ...guarded] });
    this.#databases.push({ name, namespace, address });
  }

  /** @param {string} name @param {string} file @param {string} configuration */
  #startProgram(name, file, configuration) {
    const path = this.#file(`${name}.cfg`, configuration);
    this.#add(name, { file, args: name === 'pooler' ? ['-q', path] : ['-db', '-q', '-f', path], ...this.#user });
  }

  /** @param {string} name @param {number} port */
  #startNode(name, port) {
    this.#startMemhall(name, ['serve', '--json', '--no-jobs', '--plugin-port', 'off', '--port', String(port)]);
  }

  /** @param {string} name @param {string[]} args */
  #startMemhall(name, args) {
    this.#add(name, { file: process.execPath, args: [program, ...args], env: this.environment });
  }

  /** What commands of Memhall need in order to work on this cluster. */
  get environment() {
    return {
      ...process.env,
      DATABASE_URL: this.databaseUrl,
      MEMHALL_DATABASE_DIRECT_URL: this.directUrl,
      MEMHALL_READ_DATABASE_URL: this.standbyUrl,
      MEMHALL_DATA: join(this.#directory, 'memhall'),
      MEMHALL_DRAIN_MS: '1500',
      MEMHALL_STATEMENT_TIMEOUT_MS: '5000',
      MEMHALL_EMBEDDER: 'none',
      MEMHALL_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      MEMHALL_LOG_LEVEL: 'warn',
      ...this.#settings,
    };
  }

  /** @param {string} name @param {Omit<import('./processes.mjs').Command, 'log'>} command */
  #add(name, command) {
    this.#services.set(name, new Service(name, { ...command, log: join(this.#directory, `${name}.log`) }));
  }

  /** @param {string} name */
  #directoryOf(name) {
    const path = join(this.#directory, name);
    if (!existsSync(path)) {
      mkdirSync(path, { mode: 0o700 });
      chownSync(path, this.#user.uid, this.#user.gid);
    }
    return path;
  }

  /** @param {string} name @param {string} content */
  #file(name, content) {
    const path = join(this.#directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    chownSync(path, this.#user.uid, this.#user.gid);
    return path;
  }

  /**
   * What Patroni says about its servers; empty while none of them responds.
   * @returns {Promise<{ name: string, role: string, state: string }[]>}
   */
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

  /** Resolves once a node, or the proxy in front of them, can handle requests. @param {string} url */
  waitUntilReady(url) {
    return until(startMs, `${url}/ready`, () => answers(`${url}/ready`));
  }

  /** @param {string} name */
  #database(name) {
    const found = this.#databases.find((database) => database.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }

  /** The processes of a database server and of its Patroni. @param {string} name */
  #processesOf(name) {
    return run('ip', ['netns', 'pids', this.#database(name).namespace])
      .split('\n')
      .filter(Boolean)
      .map(Number);
  }

  /**
   * Sends a signal to a database server, all its sessions, and its Patroni, as if the machine had ended or stood still.
   * @param {string} name
   * @param {NodeJS.Signals} signal
   */
  signalDatabase(name, signal) {
    for (const id of this.#processesOf(name)) {
      try {
        process.kill(id, signal);
      } catch {}
    }
  }

  /** Starts Patroni again on a server whose processes were killed. @param {string} name */
  restartDatabase(name) {
    this.service(name).start();
  }

  /** @param {string} name */
  cut(name) {
    this.#network.cut(this.#database(name).namespace);
  }

  /** @param {string} name */
  mend(name) {
    this.#network.mend(this.#database(name).namespace);
  }

  /** Takes all space of the file system with the data of a server. Returns a function that gives it back. @param {string} name */
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
    /** @param {Service} service */
    const isDatabase = ({ name }) => this.#databases.some((database) => database.name === name);
    await Promise.all(services.filter((service) => !isDatabase(service)).map((service) => service.end('SIGKILL')));
    for (const { name } of this.#databases) this.signalDatabase(name, 'SIGKILL');
    await Promise.all(services.filter(isDatabase).map((service) => service.end('SIGKILL')));
    await sleep(200);
    this.#network.remove(this.#databases.map(({ namespace }) => namespace));
    for (const mount of this.#mounts) run('umount', ['-l', mount]);
    if (!keepFiles) rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).status === 200;
  } catch {
    return false;
  }
}

/**
 * Asks until the answer is truthy, and returns it.
 * @template T
 * @param {number} timeoutMs
 * @param {string} what
 * @param {() => Promise<T>} ask
 * @returns {Promise<NonNullable<T>>}
 */
async function until(timeoutMs, what, ask) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(200)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error(`waited ${timeoutMs / 1000} seconds for ${what}`);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no port'))));
    });
  });
}
