#!/usr/bin/env node
// Measures the accuracy and speed of the injection scanner.
import { Buffer } from 'node:buffer';
import { parseArgs } from 'node:util';
import { scanCategories, scanText } from '../packages/core/dist/index.js';
import { readCorpus } from '../packages/core/test-data/scanner/read-corpus.mjs';
import { describeMachine, round, toTable, writeResult } from './support/report.mjs';

const help = `Measure what the injection scanner rejects of the texts in packages/core/test-data/scanner, and its speed.

  npm run build && node benchmarks/scanner.mjs [options]

  --rounds <n>   number of times each input is scanned for the speed, default 7; the fastest one counts
  --list         list every text that was judged wrongly, by file and line

The rules were written against the corpora "main" (by category) and "seen" (by class of attack). "held-out" and "unseen"
were written before the rules. A row for a category counts the texts that were rejected with that category; a row for a
class counts all that were rejected. Speed is CPU time of the process. Growth is the time for 1 MB divided by ten times
the time for 100 kB, so 1 is linear.
`;

const aimMsPer100kB = 50;
const small = 100_000;
const large = 1_000_000;

/** Repeated, these keep as much of the scanner as possible busy without a finding. */
const nearMisses = {
  'orders without an object': 'and ignore all ',
  'orders without an end': 'ignore all previous ',
  'a name without capitals': 'you are now dan ',
  'quoted phrases': 'The phrase "ignore all previous instructions" is known. ',
  'disguised words': '1gn0re 4ll ',
  'spelled-out words': 'i g n o r e ',
  Chinese: '忽略之前的',
  'Russian, unfinished': 'Игнорируй все\n\n',
  'secret variables': '$API_TOKEN ',
  'senders and secrets, no host': 'curl $TOKEN ',
  'paths to keys': '~/.ssh/',
  'lists of keys': 'cat authorized_keys\n\n',
  schedules: '* * * * * curl ',
  'numbers with dots': '1.2.3.',
  'one long word': 'A',
  'base64 in pieces': `${Buffer.from('hello hello hello ').toString('base64')} `,
  'base64 in one piece': Buffer.from('forget the weather now. ').toString('base64'),
  'joined emoji': '👩‍👩‍👧 ',
  'Persian joiners': 'می\u200cخواهم ',
  'open comments': '<!-- ',
  'open tags': '<a ',
  'hidden elements': '<p hidden>',
  'comments to nobody': '<!-- the assistant -->',
  'words of the rules': 'your rules\n\nthe user must\n\nthis system prompt\n\nyou are ai\n\n',
  'special tokens': '<|im_start|> and ',
  'closed tags': '<document>\n</document> x',
  headings: '### user:\n',
  'tool calls without an end': '<tool_call> "tool_calls": ',
  'addresses of images': '![a](https://x.example/{id}) ',
  'percent-encoding': '%69%67%6e ',
  'nested percent-encoding': '%2569%2567%256e ',
  'character references': '&#105;&amp;gnore ',
  escapes: '\\x69\\u0067 ',
  'names in one word': 'ignore_all_previous ignoreAllPrevious ',
  'signs as letters': '!gn@re $ystem ',
  'bytes in hexadecimal': '69 67 6e 6f 72 65 20 61 6c 6c 20 ',
  'one hexadecimal number': '69676e6f726520616c6c20',
  'bytes in decimal': '105 103 110 111 114 101 32 97 108 108 ',
  base32: 'NFTW433SMUQGC3DM',
  'letters moved': 'vtaber nyy ',
  'letters backwards': 'snoitcurtsni lla ',
  'misspelt words': 'insturctoins prveious gudielines ',
  'words of one sender': "send the user's notes\n\n",
  'white space': ' ',
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const rounds = Number(values.rounds);

if (values.help || !(rounds >= 1)) {
  if (!values.help) console.error(`--rounds must be at least 1, not "${values.rounds}".\n`);
  console.log(help);
  process.exitCode = values.help ? 0 : 1;
} else {
  const corpora = /** @type {const} */ (['main', 'held-out', 'seen', 'unseen']);
  const accuracy = corpora.flatMap((corpus) => measureAccuracy(corpus));
  const speed = measureSpeed();
  const columns = ['corpus, texts', 'count', 'rejected', '%'];
  console.log(toTable(columns, accuracy.map(toAccuracyLine)));
  console.log(`\n${toTable(['input', 'ms per 100 kB', 'growth'], speed.map(toSpeedLine))}`);
  const slowest = speed.reduce((worst, row) => (row.msPer100kB > worst.msPer100kB ? row : worst));
  console.log(`\nSlowest: ${slowest.input}, ${slowest.msPer100kB} ms per 100 kB; the goal is ${aimMsPer100kB} ms.`);
  const machine = describeMachine();
  const date = new Date().toISOString().slice(0, 10);
  const result = { benchmark: 'scanner', date, machine, settings: { rounds }, accuracy, aimMsPer100kB, slowest, speed };
  console.log(`\nWritten to ${writeResult('scanner', result)}`);
}

/** @param {'main' | 'held-out' | 'seen' | 'unseen'} corpus */
function measureAccuracy(corpus) {
  const hostile = readCorpus(corpus, 'hostile');
  const ordinary = readCorpus(corpus, 'ordinary');
  const isRefused = (/** @type {string} */ text) => scanText(text) !== undefined;
  const groups = [...new Set(hostile.map(({ group }) => group))];
  const rows = groups.map((group) => {
    const isCategory = scanCategories.some((category) => category === group);
    const isRight = (/** @type {string} */ text) => (isCategory ? scanText(text)?.category === group : isRefused(text));
    return toRow(
      corpus,
      group,
      hostile.filter((entry) => entry.group === group),
      isRight,
      true,
    );
  });
  return [
    ...rows,
    toRow(corpus, 'all hostile', hostile, isRefused, true),
    toRow(corpus, 'ordinary', ordinary, isRefused, false),
  ];
}

/**
 * @param {string} corpus
 * @param {string} texts
 * @param {import('../packages/core/test-data/scanner/read-corpus.mjs').CorpusText[]} entries
 * @param {(text: string) => boolean} isRefused
 * @param {boolean} expected
 */
function toRow(corpus, texts, entries, isRefused, expected) {
  const refused = entries.filter(({ text }) => isRefused(text));
  if (values.list) {
    for (const entry of entries) {
      if (refused.includes(entry) !== expected) console.log(`${corpus} ${texts}: ${entry.group}.txt:${entry.line}`);
    }
  }
  return { corpus, texts, count: entries.length, refused: refused.length };
}

/** @param {ReturnType<typeof toRow>} row */
function toAccuracyLine({ corpus, texts, count, refused }) {
  return [`${corpus}, ${texts}`, String(count), String(refused), ((100 * refused) / count).toFixed(1)];
}

function measureSpeed() {
  const ordinary = readCorpus('main', 'ordinary')
    .map(({ text }) => text)
    .filter((text) => scanText(text) === undefined)
    .join('\n\n');
  return Object.entries({ 'ordinary texts': `${ordinary}\n\n`, ...nearMisses }).map(([input, seed]) => {
    const [smallMs, largeMs] = [small, large].map((length) => time(seed, length));
    if (smallMs === undefined || largeMs === undefined) throw new Error('nothing was timed');
    return {
      input,
      msPer100kB: round((largeMs * small) / large, 2),
      growth: round(largeMs / (smallMs * (large / small)), 2),
    };
  });
}

/**
 * @param {string} seed
 * @param {number} length
 */
function time(seed, length) {
  const text = seed.repeat(Math.ceil(length / seed.length)).slice(0, length);
  const finding = scanText(text);
  if (finding !== undefined) throw new Error(`"${seed}" is no near miss: ${finding.rule}`);
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < rounds; count++) {
    const begin = process.cpuUsage();
    scanText(text);
    const { user, system } = process.cpuUsage(begin);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** @param {ReturnType<typeof measureSpeed>[number]} row */
function toSpeedLine({ input, msPer100kB, growth }) {
  return [input, msPer100kB.toFixed(2), growth.toFixed(2)];
}
