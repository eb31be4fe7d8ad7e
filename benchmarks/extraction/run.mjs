#!/usr/bin/env node
// Measures precision and recall of the rules extractor.
import { parseArgs } from 'node:util';
import { createRulesExtractor } from '../../packages/server/dist/providers/extractors/rules/rules-extractor.js';
import { Progress } from '../support/progress.mjs';
import { toTable, writeResult } from '../support/report.mjs';
import { halves, languages, readConversations } from './conversations.mjs';
import { Scores } from './scores.mjs';

const help = `Measure precision and recall of the rules extractor on the labelled conversations next to this file.

  npm run build && node benchmarks/extraction/run.mjs

  --half <tuning|held-out>          measure only this half, and write no file to benchmarks/results
  --language <en|names|de|fr|es>    measure only this language, and write no file
  --show <tuning|held-out>          list the errors of this half; when you write rules, look only at tuning

README.md explains the labels and the scores.
`;

const { values } = parseArgs({
  options: {
    half: { type: 'string' },
    language: { type: 'string' },
    show: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const chosen = halves.filter((half) => values.half === undefined || half === values.half);
const spoken = languages.filter((language) => values.language === undefined || language === values.language);

if (values.help || chosen.length === 0 || spoken.length === 0) {
  if (!values.help)
    console.error(`--half must be one of ${halves.join(', ')}, --language one of ${languages.join(', ')}.\n`);
  console.log(help);
  process.exit(values.help ? 0 : 1);
}

const extractor = createRulesExtractor();
/** @type {Record<string, object>} */
const results = {};
for (const half of chosen) {
  for (const language of spoken) results[`${half} ${language}`] = await measure(half, language);
}
if (values.half === undefined && values.language === undefined)
  writeResult('extraction', { extractor: extractor.name, results });

/** @param {(typeof halves)[number]} half @param {(typeof languages)[number]} language */
async function measure(half, language) {
  const conversations = readConversations(half, language);
  const progress = new Progress(`${half} ${language}`, conversations.length);
  progress.step(`${conversations.length} conversations`);
  const scores = new Scores();
  for (const conversation of conversations) {
    const { facts } = await extractor.extract(conversation);
    scores.add(conversation, facts);
    progress.advance(conversation.id);
  }
  progress.finish();
  const lines = scores.result();
  const cells = lines.map((line) =>
    [line.kind, line.precision, line.recall, line.proposed, line.right, line.wanted, line.found].map(String),
  );
  console.log(toTable([`${half} ${language}`, 'precision', 'recall', 'proposed', 'right', 'wanted', 'found'], cells));
  console.log(`Forbidden proposals: ${scores.forbidden}\n`);
  if (values.show === half) for (const error of scores.errors) console.log(error);
  return { conversations: conversations.length, forbidden: scores.forbidden, kinds: lines };
}
