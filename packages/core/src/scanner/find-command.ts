import type { Evidence, Place, Witness } from './evidence/evidence.js';
import { witnessAddress, witnessHost } from './evidence/hosts.js';
import {
  environmentWitnesses,
  fileWitnesses,
  privateWitnesses,
  witnessVariable,
  wordWitnesses,
} from './evidence/secrets.js';
import { senderWitnesses } from './evidence/senders.js';
import { writeWitnesses } from './evidence/writes.js';
import { type CommandRule, commandRules } from './rules/command-rules.js';
import type { Finding } from './scan-verdict.js';
import type { Tokens } from './tokenise.js';

/** Pieces of evidence that are further apart do not belong to the same command. */
const wordsOfCommand = 80;

const witnesses = toWitnesses();
const nothing: readonly Evidence[] = [];
const longestPipe = 400;
const passedOnBy: readonly (readonly [Evidence, RegExp])[] = [
  ['secret-variable', /[|(]/],
  ['secret-in-header', /[|(]/],
  ['secret-file', /[|;&>(]|-exec\b/],
];

function toWitnesses(): Map<string, Witness[]> {
  const map = new Map<string, Witness[]>();
  for (const table of [
    senderWitnesses,
    fileWitnesses,
    environmentWitnesses,
    wordWitnesses,
    privateWitnesses,
    writeWitnesses,
  ]) {
    for (const [word, found] of Object.entries(table)) map.set(word, [...(map.get(word) ?? []), ...[found].flat()]);
  }
  return map;
}

/**
 * Finds the first command rule whose evidence is complete on one line. A trailing backslash joins a line with the next.
 */
export function findCommand(tokens: Tokens): Finding | undefined {
  const seen = new Map<Evidence, number>();
  for (let index = 0; index < tokens.words.length; index++) {
    if (index > 0 && seen.size > 0 && startsLine(tokens, index)) seen.clear();
    for (const evidence of collect({ tokens, index, word: tokens.words[index] ?? '' })) {
      if (evidence === 'sender') forgetUnsent(tokens, index, seen);
      seen.set(evidence, index);
      const rule = commandRules.find((candidate) => isComplete(candidate, evidence, seen, index));
      if (rule !== undefined) return { rule, foldedOffset: firstPlace(tokens, rule, seen) };
    }
  }
  return undefined;
}

/**
 * Drops evidence that the sender at `index` does not send. A command sends what is named after it or piped into it, and
 * a file that an earlier command may have packed.
 */
function forgetUnsent({ text, starts, ends }: Tokens, index: number, seen: Map<Evidence, number>): void {
  for (const [evidence, passedOn] of passedOnBy) {
    const place = seen.get(evidence);
    if (place === undefined) continue;
    const start = starts[index] ?? 0;
    if (!passedOn.test(text.slice(Math.max(ends[place] ?? 0, start - longestPipe), start))) seen.delete(evidence);
  }
}

function collect(place: Place): readonly Evidence[] {
  if (place.word.includes('://')) return witnessAddress(place);
  const known = witnesses.get(place.word);
  if (known === undefined && !touchesSign(place)) return nothing;
  const found = [witnessVariable(place), witnessHost(place), ...(known ?? []).map((witness) => witness(place))];
  return found.filter((evidence) => evidence !== undefined);
}

/** A quick filter: most words are surrounded by spaces and are not part of a variable or a host name. */
function touchesSign({ tokens, index }: Place): boolean {
  const before = tokens.text.charCodeAt((tokens.starts[index] ?? 0) - 1);
  const after = tokens.text.charCodeAt(tokens.ends[index] ?? 0);
  return after === 0x2e || after === 0x3a || (before > 0x20 && before < 0x80);
}

function startsLine({ text, starts, ends }: Tokens, index: number): boolean {
  const gap = text.slice(ends[index - 1], starts[index]);
  return gap.includes('\n') && !/\\\r?\n/.test(gap);
}

function isComplete(rule: CommandRule, latest: Evidence, seen: Map<Evidence, number>, index: number): boolean {
  if (!rule.needs.some((choice) => choice.includes(latest))) return false;
  return rule.needs.every((choice) =>
    choice.some((evidence) => index - (seen.get(evidence) ?? Number.NEGATIVE_INFINITY) <= wordsOfCommand),
  );
}

function firstPlace(tokens: Tokens, rule: CommandRule, seen: Map<Evidence, number>): number {
  const places = rule.needs.flat().flatMap((evidence) => seen.get(evidence) ?? []);
  return tokens.starts[Math.min(...places)] ?? 0;
}
