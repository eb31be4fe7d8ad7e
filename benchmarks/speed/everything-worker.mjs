/** Memhall as a library in a separate process: recall over one kind, and over everything. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { serveParent } from '../support/child.mjs';
import { memoryText, questionText } from './sentences.mjs';
import { questionCount, Vectors } from './vectors.mjs';

/** @typedef {'one' | 'all'} World */

const batch = 100;
const user = 'ann';
const kinds = ['note', 'semantic', 'episodic', 'procedural', 'fact'];
/** Of ten memories: six are the user's own, the others are in the namespaces of the workspace and the team, and public. */
/** @type {import('memhall').NewMemory['visibility'][]} */
const places = [
  ...Array(6).fill('private'),
  ...[{ namespace: 'workspace:ann' }, { namespace: 'workspace:ann' }, { namespace: 'team:blue' }, 'public'],
];

/** @type {import('memhall').Memhall | undefined} */
let memhall;
/** @type {Vectors | undefined} */
let vectors;
let nextQuestion = 0;

/**
 * @param {World} world
 * @param {number} size
 */
function memoryOf(world, size) {
  if (memhall === undefined) throw new Error('nothing is open');
  return memhall.as({ tenant: `${world}-${size}`, user, teams: ['blue'] });
}

/**
 * @param {World} world
 * @param {number} index
 */
function itemOf(world, index) {
  return {
    content: memoryText(index),
    kind: world === 'one' ? 'semantic' : (kinds[Math.floor(index / places.length) % kinds.length] ?? 'note'),
    embedding: vectors?.ofMemory(index) ?? [],
    visibility: (world === 'one' ? undefined : places[index % places.length]) ?? 'private',
  };
}

/**
 * @param {World} world
 * @param {number} size
 */
async function recall(world, size) {
  const index = nextQuestion++ % questionCount;
  const embedding = vectors?.ofQuestion(index) ?? [];
  const narrow = world === 'one' ? { scopes: /** @type {const} */ (['own']), filter: { kinds: ['semantic'] } } : {};
  return memoryOf(world, size).recall(questionText(index), { limit: 10, embedding, ...narrow });
}

/** Measures the wall and processor time of this process, in ms, and the longest time its event loop was blocked. */
async function timed(/** @type {() => Promise<unknown>} */ work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  await new Promise((done) => setTimeout(done, 5));
  delay.disable();
  return { wallMs, cpuMs: (user + system) / 1000, stallMs: delay.max / 1e6 };
}

serveParent(
  {
    /** @param {{ root: string, directory: string, databaseUrl: string | undefined, vectorsFile: string }} input */
    async open({ root, directory, databaseUrl, vectorsFile }) {
      const { openMemhall } = await import(pathToFileURL(`${root}/packages/server/dist/index.js`).href);
      vectors = new Vectors(vectorsFile);
      const options = { dataDirectory: directory, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
      memhall = await openMemhall({ ...options, embedder: 'local' });
    },

    /** @param {{ world: World, size: number }} input */
    async fill({ world, size }) {
      const memory = memoryOf(world, size);
      for (let at = 0; at < size; at += batch) {
        await memory.rememberMany(Array.from({ length: batch }, (_, index) => itemOf(world, at + index)));
      }
    },

    /**
     * Waits until the work in the background is done that follows the first recall of so many memories.
     * @param {{ size: number }} input
     */
    async settle({ size }) {
      await new Promise((done) => setTimeout(done, 1000 + size / 4));
    },

    /** @param {{ world: World, size: number, calls: number }} input */
    async recalls({ world, size, calls }) {
      const times = [];
      for (let call = 0; call < calls; call++) times.push(await timed(() => recall(world, size)));
      return times;
    },
  },
  async () => memhall?.close(),
);
