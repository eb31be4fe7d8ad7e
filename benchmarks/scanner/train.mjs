#!/usr/bin/env node
// Learns how much the signals of the injection scanner count.
import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { foldText } from '../../packages/core/dist/scanner/fold-text.js';
import { scanRules } from '../../packages/core/dist/scanner/scan-text.js';
import { bucketCount, readSignals, signalNames } from '../../packages/core/dist/scanner/signals/read-signals.js';
import { passagesOf } from '../../packages/core/dist/scanner/signals/weigh-signals.js';
import { tokenise } from '../../packages/core/dist/scanner/tokenise.js';
import { readCorpus } from '../../packages/core/test-data/scanner/read-corpus.mjs';
import { expandTemplates, toRandom } from './expand-templates.mjs';

const help = `Learn how much the signals of the injection scanner count, and write packages/core/src/scanner/signals/weights.ts.

  npm run build && node benchmarks/scanner/train.mjs --conversations <file>

  --conversations <file>  conversations of RealMem as {conversations: [{turns: [{text}]}]}: ordinary texts

The other texts are templates in this folder, the corpora main, seen and training, the examples of the rules, and the manuals
and sources of this repository and of every second dependency. The same texts give the same weights. Afterwards choose the
thresholds in find-signals.ts with benchmarks/scanner.mjs.
`;

const random = toRandom(16);
const root = new URL('../../', import.meta.url);
const runs = 5;
const epochs = 8;
const rate = 0.15;
/** How strongly weights are pulled to zero. Words are pulled more: they say less about texts of others. */
const pull = { signals: 2e-5, words: 2e-4 };
/** An ordinary passage that is refused is worse than an attack that is missed. */
const ordinaryCounts = 3;
/** Sentences from each template. */
const sentences = 60;
/** Weights are stored as whole numbers of this fraction. */
const scale = 16;
/** Attacks that are not made of words. */
const formal = /^(?:encodings|invisible|split|tool-calls|role-markers|base64_obfuscation|invisible_unicode)$/;
const corpora = /** @type {const} */ (['main', 'seen', 'training']);

const signalCount = signalNames.length;
/** Places of weights: signals and pairs of signals, words, pairs of words, bias, words of no class. */
const wordsAt = signalCount * signalCount;
const pairsAt = wordsAt + bucketCount;
const biasAt = pairsAt + bucketCount;
const plainAt = biasAt + 1;
const weights = new Float64Array(plainAt + 1);
const squares = new Float64Array(plainAt + 1);

const { values } = parseArgs({
  options: { conversations: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
});
if (values.help || values.conversations === undefined) {
  if (!values.help) console.error('--conversations is missing.\n');
  console.log(help);
  process.exitCode = values.help ? 0 : 1;
} else train(values.conversations);

/** @param {string} conversations */
function train(conversations) {
  const hostile = readHostile().map(toPassages);
  const ordinary = readOrdinary(conversations).flatMap(toPassages);
  /** The mean of several runs that left out different words: one run alone relies on chance. */
  const mean = new Float64Array(weights.length);
  for (let run = 0; run < runs; run++) {
    weights.fill(0);
    squares.fill(1e-6);
    weights[biasAt] = -3;
    for (let epoch = 0; epoch < epochs; epoch++) learnOnce(hostile, ordinary, epoch);
    for (const [index, weight] of weights.entries()) mean[index] = (mean[index] ?? 0) + weight / runs;
    console.log(`run ${run + 1} of ${runs}`);
  }
  weights.set(mean);
  const caught = hostile.filter((passages) => passages.some((features) => score(features) > 0)).length;
  const refused = ordinary.filter((features) => score(features) > 0).length;
  console.log(`Above 0: ${caught} of ${hostile.length} attacks, ${refused} of ${ordinary.length} ordinary passages.`);
  writeWeights();
}

/**
 * @param {Uint32Array[][]} hostile passages of each attack: the one that looks most like an attack is learned
 * @param {Uint32Array[]} ordinary
 * @param {number} epoch
 */
function learnOnce(hostile, ordinary, epoch) {
  const examples = [
    ...hostile.flatMap((passages) => {
      const [first] = passages;
      if (first === undefined) return [];
      return [{ features: passages.reduce((top, each) => (score(each) > score(top) ? each : top), first), label: 1 }];
    }),
    // What is clearly ordinary teaches little.
    ...ordinary
      .filter((features) => epoch < 2 || score(features) > -6 || random() < 0.2)
      .map((features) => ({ features, label: 0 })),
  ];
  shuffle(examples);
  for (const { features, label } of examples) {
    // Some words are left out, so that signals have to be enough.
    const kept = features.filter((feature) => feature < wordsAt || feature >= biasAt || random() > 0.3);
    const chance = 1 / (1 + Math.exp(-score(kept)));
    learn(kept, (chance - label) * (label === 1 ? 1 : ordinaryCounts));
  }
}

/** @param {string} text @returns {Uint32Array[]} the places of the weights that each passage adds */
function toPassages(text) {
  const tokens = tokenise(foldText(text));
  const signals = readSignals(tokens, tokens.words);
  return [...passagesOf(signals)].map(({ first, last, signals: present }) => {
    const [start, end] = [signals.starts[first] ?? 0, signals.starts[last + 1] ?? 0];
    return Uint32Array.from([biasAt, ...placesOfSignals(present), ...placesOfWords(signals, start, end)]);
  });
}

/** @param {readonly number[]} present */
function placesOfSignals(present) {
  return present.flatMap((a, index) =>
    present.slice(index).map((b) => (a < b ? a * signalCount + b : b * signalCount + a)),
  );
}

/** @param {ReturnType<typeof readSignals>} signals @param {number} start @param {number} end */
function placesOfWords({ words, pairs, plain }, start, end) {
  const places = [];
  for (let word = start; word < end; word++) {
    places.push(wordsAt + (words[word] ?? 0));
    if (plain[word]) places.push(plainAt);
    if (pairs[word]) places.push(pairsAt + (pairs[word] ?? 0));
  }
  return places;
}

/** @param {Uint32Array} features */
function score(features) {
  let sum = 0;
  for (const feature of features) sum += weights[feature] ?? 0;
  return sum;
}

/** AdaGrad. @param {Uint32Array} features @param {number} slope */
function learn(features, slope) {
  for (const feature of features) {
    const weight = weights[feature] ?? 0;
    const step = slope + weight * (feature < wordsAt ? pull.signals : pull.words);
    squares[feature] = (squares[feature] ?? 0) + step * step;
    weights[feature] = weight - (rate * step) / Math.sqrt(squares[feature] ?? 1);
  }
}

/** @param {unknown[]} list */
function shuffle(list) {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [list[index], list[other]] = [list[other], list[index]];
  }
}

function readHostile() {
  return [
    ...expandTemplates('attacks.txt', sentences, random),
    ...corpora
      .flatMap((corpus) => readCorpus(corpus, 'hostile').map((entry) => ({ ...entry, corpus })))
      // The commands of main are for the rules alone.
      .filter(({ corpus, group }) => !formal.test(group) && (corpus !== 'main' || group === 'prompt_injection'))
      .flatMap(({ text }) => [text, text, text]),
    ...scanRules.filter(({ category }) => category === 'prompt_injection').flatMap(({ refuses }) => refuses),
  ];
}

/** @param {string} conversations */
function readOrdinary(conversations) {
  const everyOther = (/** @type {string} */ _, /** @type {number} */ index) => index % 2 === 0;
  const files = [
    ...listFiles('docs/', /\.md$/),
    ...listFiles('packages/', /^[a-z]+\/src\/.*\.ts$/),
    ...listFiles('node_modules/', /\.md$/i).filter(everyOther),
    ...listFiles('node_modules/', /\/licen[cs]e[^/]*$/i).filter(everyOther),
  ];
  const said = listFiles('benchmarks/extraction/conversations/', /tuning.*\.jsonl$/)
    .flatMap((path) => read(path).split('\n'))
    .flatMap((line) => textsIn(JSON.parse(line || 'null')));
  return [
    ...expandTemplates('ordinary.txt', sentences, random),
    ...corpora.flatMap((corpus) => readCorpus(corpus, 'ordinary').flatMap(({ text }) => [text, text])),
    ...scanRules.flatMap(({ passes }) => passes).flatMap((text) => [text, text, text, text]),
    ...files.map(read),
    ...said,
    ...textsIn(JSON.parse(readFileSync(conversations, 'utf8'))),
  ];
}

/** @param {string} path */
function read(path) {
  return readFileSync(new URL(path, root), 'utf8');
}

/** @param {string} folder @param {RegExp} names */
function listFiles(folder, names) {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => names.test(path) && !/attacks\.md|0015-scanner|scanner\//.test(path))
    .map((path) => `${folder}${path}`)
    .filter((path) => statSync(new URL(path, root)).isFile())
    .sort();
}

/** @param {unknown} value @returns {string[]} */
function textsIn(value) {
  if (typeof value === 'string') return value.length > 20 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function writeWeights() {
  const toWhole = (/** @type {number} */ weight) => Math.max(-127, Math.min(127, Math.round(weight * scale)));
  const pack = (/** @type {number} */ start, /** @type {number} */ end) =>
    Buffer.from(Int8Array.from(weights.subarray(start, end), toWhole).buffer).toString('base64');
  const text = `// Generated by benchmarks/scanner/train.mjs. Do not edit.
export const packedWeights = {
  bias: ${Math.round((weights[biasAt] ?? 0) * scale)},
  plain: ${Math.round((weights[plainAt] ?? 0) * scale)},
  signals:
    '${pack(0, wordsAt)}',
  words:
    '${pack(wordsAt, pairsAt)}',
  pairs:
    '${pack(pairsAt, biasAt)}',
};
`;
  writeFileSync(new URL('packages/core/src/scanner/signals/weights.ts', root), text);
}
