import { findBankAccounts } from './bank-accounts.js';
import { findBase64Blobs } from './base64-blobs.js';
import { findBearerTokens } from './bearer-tokens.js';
import { findCardNumbers } from './card-numbers.js';
import { findDatabaseUrls } from './database-urls.js';
import { addFound, type FoundSecrets } from './found-secrets.js';
import { findJsonWebTokens } from './json-web-tokens.js';
import { findKeys } from './key-families.js';
import { findPrivateKeys } from './private-keys.js';
import { findAssignments, findLikelyAssignments } from './secret-assignments.js';
import {
  anyRedaction,
  type OptionalLabel,
  redactedBefore,
  redactionOf,
  type SecretLabel,
  type SecretSpan,
  secretLabels,
} from './secret-label.js';
import { findToldPasswords } from './told-passwords.js';

export interface Redaction {
  text: string;
  found: FoundSecrets;
}

type Find = (text: string) => SecretSpan[];

const marks: readonly Find[] = [
  findAssignments,
  findToldPasswords,
  findBearerTokens,
  findPrivateKeys,
  findDatabaseUrls,
  findKeys,
  findJsonWebTokens,
  findBase64Blobs,
];
const optional: Readonly<Record<OptionalLabel, Find>> = { CARD_NUMBER: findCardNumbers, IBAN: findBankAccounts };
/** These rules judge by appearance alone. They run on the text that the other rules leave, where matches may differ. */
const guesses: readonly Find[] = [findBase64Blobs, findLikelyAssignments, findBase64Blobs];

/** Length of `token=` and eight characters. */
const shortestGuess = 14;
/** A shorter text is a secret only if it says what it is, as in `pin: 1234`. Documents can have 250,000 of them. */
const shortestSecret = 12;
const rank = new Map(secretLabels.map((label, index) => [label, index]));

/** The second round almost never finds anything; crafted texts may need a third. The limit keeps the time linear. */
const mostRounds = 8;

/** V8's expressions fail on runs of some million characters, so longer texts are read in pieces. */
const longestPiece = 2_000_000;
/** How far before the end of a piece a space is searched for, to cut there. */
const farthestCut = 100_000;

/** A part of the text that needs no further search. Without a label it is an earlier redaction. */
interface Part {
  label: SecretLabel | undefined;
  start: number;
  end: number;
}

/**
 * Replaces every secret with `[REDACTED:LABEL]`. The pattern rules all see the original text. Overlapping matches are
 * replaced as a whole, so that no rule leaves part of a secret that another rule found. Takes time linear in the length
 * of the text for any input. Idempotent.
 * @param also labels to redact that are left alone otherwise
 */
export function redact(text: string, also: readonly OptionalLabel[] = []): Redaction {
  if (text.length < shortestSecret && !/[\s=:]/.test(text)) return { text, found: {} };
  const finds = [...marks, ...also.map((label) => optional[label])];
  if (text.length <= longestPiece) return redactPiece(text, finds);
  const found: FoundSecrets = {};
  const redacted = piecesOf(text).map((piece) => {
    const redaction = redactPiece(piece, finds);
    addFound(found, redaction.found);
    return redaction.text;
  });
  return { text: redacted.join(''), found };
}

/** Cuts at spaces. A run without any is cut too: what is left of a secret of that length is one on both sides. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > longestPiece) {
    const end = start + longestPiece;
    const window = text.slice(end - farthestCut, end);
    const space = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n'));
    const cut = space === -1 ? end : end - farthestCut + space;
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  pieces.push(text.slice(start));
  return pieces;
}

function redactPiece(text: string, finds: readonly Find[]): Redaction {
  const found: FoundSecrets = {};
  let redacted = text;
  for (let round = 0; round < mostRounds; round++) {
    const next = redactRound(redacted, finds);
    if (next.text === redacted) break;
    redacted = next.text;
    addFound(found, next.found);
  }
  return { text: redacted, found };
}

function redactRound(text: string, finds: readonly Find[]): Redaction {
  const earlier = [...text.matchAll(anyRedaction)].map(({ 0: { length }, index }) => ({
    label: undefined,
    start: index,
    end: index + length,
  }));
  const seen = text.replace(anyRedaction, ({ length }) => redactedBefore.repeat(length));
  let parts = union([...earlier, ...finds.flatMap((find) => find(seen))]);
  for (const find of guesses) parts = union([...parts, ...findBetween(seen, parts, find)]);
  return replace(text, parts);
}

function findBetween(text: string, parts: readonly Part[], find: Find): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let from = 0;
  for (const next of [...parts, { start: text.length, end: text.length }]) {
    if (next.start - from >= shortestGuess) {
      for (const { label, start, end } of find(text.slice(from, next.start)))
        spans.push({ label, start: from + start, end: from + end });
    }
    from = next.end;
  }
  return spans;
}

/** Sorts the parts and merges overlapping ones. */
function union(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of [...parts].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || part.start >= last.end) {
      joined.push({ ...part });
      continue;
    }
    last.end = Math.max(last.end, part.end);
    if (rankOf(part) < rankOf(last)) last.label = part.label;
  }
  return joined;
}

function rankOf({ label }: Part): number {
  return (label && rank.get(label)) ?? secretLabels.length;
}

function replace(text: string, parts: readonly Part[]): Redaction {
  const found: FoundSecrets = {};
  const pieces: string[] = [];
  let at = 0;
  for (const { label, start, end } of parts) {
    if (label === undefined) continue;
    pieces.push(text.slice(at, start), redactionOf(label));
    found[label] = (found[label] ?? 0) + 1;
    at = end;
  }
  pieces.push(text.slice(at));
  return { text: pieces.join(''), found };
}
