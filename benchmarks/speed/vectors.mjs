import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { memoryText, questionText, randomNumbers } from './sentences.mjs';

export const dimension = 384;
export const questionCount = 256;
/** This many memories have their MiniLM vector; further ones have one of these vectors plus random noise. */
const embeddedMemories = 10_000;
const batch = 64;
/** Length of the noise added to a unit vector: the cosine of the two is about 0.89. */
const noise = 0.5;

/** @typedef {import('../../packages/server/dist/ports/embedder.js').Embedder} Embedder */

/**
 * Memhall's own MiniLM, in a thread of this process.
 * @param {string} root directory of the built repository
 * @param {string} cacheDirectory for the prepared model
 * @returns {Promise<Embedder>}
 */
export async function openModel(root, cacheDirectory) {
  const file = join(root, 'packages/server/dist/providers/embedders/minilm-embedder.js');
  const { openMinilmEmbedder } = await import(pathToFileURL(file).href);
  return openMinilmEmbedder({ runtime: 'auto', cacheDirectory });
}

/**
 * Embeds the texts for all systems and caches the vectors in a file for later runs.
 * @param {{ root: string, largest: number, onProgress: (done: number, total: number) => void }} options
 * @returns {Promise<string>} the file
 */
export async function prepareVectors({ root, largest, onProgress }) {
  const count = Math.min(largest, embeddedMemories);
  const directory = join(tmpdir(), 'memhall-benchmark-vectors');
  const file = join(directory, `minilm-${count}.f32`);
  if (existsSync(file)) return file;
  mkdirSync(directory, { recursive: true });
  const texts = [
    ...Array.from({ length: questionCount }, (_, index) => questionText(index)),
    ...Array.from({ length: count }, (_, index) => memoryText(index)),
  ];
  const all = new Float32Array(texts.length * dimension);
  const model = await openModel(root, join(directory, 'models'));
  for (let at = 0; at < texts.length; at += batch) {
    const vectors = await model.embed(texts.slice(at, at + batch));
    for (const [index, vector] of vectors.entries()) all.set(vector, (at + index) * dimension);
    onProgress(Math.min(at + batch, texts.length), texts.length);
  }
  await model.close();
  writeFileSync(`${file}.new`, all);
  renameSync(`${file}.new`, file);
  return file;
}

/** Vectors of all memories and questions, by number. */
export class Vectors {
  #all;

  /** @param {string} file */
  constructor(file) {
    const bytes = readFileSync(file);
    this.#all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  /** @param {number} index */
  ofQuestion(index) {
    return Array.from(this.#at(index % questionCount));
  }

  /** @param {number} index */
  ofMemory(index) {
    const count = this.#all.length / dimension - questionCount;
    const vector = Array.from(this.#at(questionCount + (index % count)));
    return index < count ? vector : withNoise(vector, index);
  }

  /** @param {number} place */
  #at(place) {
    return this.#all.subarray(place * dimension, (place + 1) * dimension);
  }
}

/**
 * @param {number[]} vector of unit length
 * @param {number} seed
 */
function withNoise(vector, seed) {
  const random = randomNumbers(seed);
  // A uniform random number from -1 to 1 has a mean square of 1/3.
  const width = noise * Math.sqrt(3 / vector.length);
  const moved = vector.map((value) => value + width * (2 * random() - 1));
  const length = Math.hypot(...moved);
  return moved.map((value) => value / length);
}
