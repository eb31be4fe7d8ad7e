/** One system in a separate process, so that it shares neither memory nor event loop with the others. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serveParent } from '../support/child.mjs';
import { takeCalls } from './calls.mjs';
import { memoryText, questionText, randomNumbers } from './sentences.mjs';
import { systems } from './systems.mjs';
import { openModel, questionCount, Vectors } from './vectors.mjs';

/** Offset of the texts that are embedded end to end, so that none of them has a prepared vector. */
const unseen = 5_000_000;
const fillBatch = 100;
/** Only servers benefit from concurrent writers. */
const fillCallers = { postgres: 4, file: 1, process: 1 };

/** @type {import('./systems.mjs').System | undefined} */
let system;
/** @type {import('./systems.mjs').Place | undefined} */
let place;
/** @type {Vectors | undefined} */
let vectors;
/** @type {import('./vectors.mjs').Embedder | undefined} */
let model;
let nextMemory = 0;
let nextAdd = 0;
let nextQuestion = 0;
let lastUser = 0;
const random = randomNumbers(1);
/** The prepared vectors, for peers that ask for the embedding of a text. */
const byText = /** @type {Map<string, number[]>} */ (new Map());

/** @returns {import('./systems.mjs').System} */
function current() {
  if (system === undefined) throw new Error('no system is open');
  return system;
}

/** @param {string[]} texts */
async function embed(texts) {
  if (model !== undefined) return (await model.embed(texts)).map((vector) => Array.from(vector));
  // mem0 also embeds the names in a question to look for entities. Any vector has the same cost.
  return texts.map((text) => byText.get(text) ?? vectors?.ofQuestion(0) ?? []);
}

/** @returns {import('./systems.mjs').Item} */
function takeItem() {
  const index = nextMemory++;
  const text = memoryText(model === undefined ? index : unseen + index);
  const vector = model === undefined ? vectors?.ofMemory(index) : undefined;
  if (vector !== undefined) byText.set(text, vector);
  return { index, text, vector };
}

/** @returns {import('./systems.mjs').Question} */
function takeQuestion() {
  const index = nextQuestion++;
  // A question that has to be embedded is never repeated: some systems cache the vectors of texts.
  if (model !== undefined) return { text: `${questionText(unseen + index)} (Question ${index}.)`, vector: undefined };
  const text = questionText(index % questionCount);
  const vector = vectors?.ofQuestion(index);
  if (vector !== undefined) byText.set(text, vector);
  return { text, vector };
}

/** @param {number} number */
function userName(number) {
  return `user-${String(number).padStart(5, '0')}`;
}

/**
 * @typedef {object} AddInput
 * @property {number} batch number of memories per call
 * @property {number} callers
 * @property {number} calls
 * @property {number} firstUser calls rotate through the users from this one on
 * @property {number} users
 */

/** @param {AddInput} input */
async function add({ batch, callers, calls, firstUser, users }) {
  lastUser = Math.max(lastUser, firstUser + users - 1);
  // Created in advance, so that their creation is not measured.
  const given = Array.from({ length: calls }, () => Array.from({ length: batch }, takeItem));
  const turn = await takeCalls({ callers, calls }, (number) =>
    current().add(userName(firstUser + (nextAdd++ % users)), given[number] ?? []),
  );
  if (model !== undefined) {
    const settling = performance.now();
    await current().settle?.();
    turn.elapsedMs += performance.now() - settling;
  }
  byText.clear();
  return turn;
}

async function open() {
  if (place === undefined) throw new Error('no place is known');
  const description = systems[place.name];
  const { openSystem } = await import(description?.module ?? '');
  system = /** @type {import('./systems.mjs').System} */ (await openSystem(place));
}

serveParent(
  {
    /** @param {Omit<import('./systems.mjs').Place, 'embed'> & { vectorsFile: string, endToEnd: boolean }} input */
    async open({ vectorsFile, endToEnd, ...rest }) {
      place = { ...rest, embed };
      vectors = new Vectors(vectorsFile);
      if (endToEnd) model = await openModel(rest.root, join(rest.directory, 'peer-models'));
      await open();
    },

    add,

    /**
     * Not measured. Throws if the system needs too long.
     * @param {{ memories: number, firstUser: number, users: number, minutes: number }} input
     */
    async fill({ memories, firstUser, users, minutes }) {
      const perStep = 10 * fillBatch;
      const callers = fillCallers[systems[place?.name ?? '']?.storage ?? 'file'];
      const begin = performance.now();
      for (let left = memories; left > 0; left -= perStep) {
        if (performance.now() - begin > minutes * 60_000) {
          throw new Error(`storing ${memories} memories takes more than ${minutes} minutes (${left} were left)`);
        }
        const calls = Math.ceil(Math.min(left, perStep) / fillBatch);
        await add({ batch: fillBatch, callers, calls, firstUser, users });
      }
    },

    /** @param {{ mode: string, callers: number, seconds?: number, calls?: number }} input */
    async recall({ mode, callers, seconds, calls }) {
      const recall = current().recall[mode];
      if (recall === undefined) throw new Error(`there is no recall mode ${mode}`);
      let found = 0;
      const turn = await takeCalls({ callers, seconds, calls }, async () => {
        const count = await recall(userName(Math.floor(random() * (lastUser + 1))), takeQuestion());
        found += count;
      });
      return { ...turn, found };
    },

    /**
     * Measures the first recall of users after a start: closes the system and opens it again.
     * @param {{ mode: string, users: number }} input
     */
    async firstRecalls({ mode, users }) {
      await current().close();
      await open();
      const step = Math.max(1, Math.floor((lastUser + 1) / users));
      const calls = Math.min(users, lastUser + 1);
      return takeCalls({ callers: 1, calls }, async (number) => {
        await current().recall[mode]?.(userName(number * step), takeQuestion());
      });
    },

    /** Returns the size of the files, without database logs, whose size varies. */
    async fileBytes() {
      return directoryBytes(place?.directory ?? '');
    },
  },
  async () => {
    await system?.close();
    await model?.close();
  },
);

/**
 * @param {string} directory
 * @returns {number}
 */
function directoryBytes(directory) {
  let sum = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (/^pg_wal$|-wal$|-shm$|models$/.test(entry.name)) continue;
    const path = join(directory, entry.name);
    sum += entry.isDirectory() ? directoryBytes(path) : entry.isFile() ? statSync(path).size : 0;
  }
  return sum;
}
