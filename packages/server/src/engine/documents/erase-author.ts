import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson, type Json, parsePointer } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { ChainedRecord } from '../../ports/audit-log.js';
import type { DocumentState } from '../../ports/document-checkpoints.js';
import { contentHash } from '../audit/audit-record.js';
import { toErasedRecord } from '../audit/erased-records.js';
import { type DocumentRecord, nextState, opsHash, parseDocumentRecord } from './document-record.js';
import { type ErasedWords, isIndex, linesIn } from './erase-words.js';
import { etagOf } from './governed-document.js';

/** The history of a document: the state it is rebuilt from, if retention stored one, and its records in order. */
export interface DocumentPast {
  beginning: DocumentState | undefined;
  records: readonly ChainedRecord[];
}

/** Long histories are replayed in parts, so that other requests get their turn. */
const recordsPerTurn = 20;
/** A shorter line that somebody else adds again is not recognisably the author's. */
const minDistinct = 16;

/**
 * Returns the lines that an author was the first to write in a document. Lines that were there before belong to others, also if the
 * author sent them again. What a document began with belongs to nobody, and neither do the words of its schema (`isCommon`).
 */
export async function linesBy(
  author: string,
  { beginning, records }: DocumentPast,
  isCommon: (line: string) => boolean,
): Promise<Set<string>> {
  const seen = new Set<string>(linesIn(beginning?.body.content));
  const own = new Set<string>();
  let state = beginning;
  for (const [index, one] of records.entries()) {
    if (index % recordsPerTurn === recordsPerTurn - 1) await nextTurn();
    const record = parseDocumentRecord(one);
    for (const line of linesIn(record.origin?.content)) seen.add(line);
    const after = nextState(state, record);
    const { user_id: actor } = record.actor;
    const written = new Set(linesWritten(record));
    const isAgain = actor !== null && actor !== author && !record.operation.startsWith('quarantine.');
    for (const line of written) {
      if (actor === author && !seen.has(line) && line.trim() !== '' && !isCommon(line)) own.add(line);
      if (isAgain && line.length < minDistinct && own.has(line) && timesIn(after, line) > timesIn(state, line)) {
        own.delete(line);
      }
      seen.add(line);
    }
    state = after;
  }
  return own;
}

function timesIn(state: DocumentState | undefined, line: string): number {
  let times = 0;
  for (const one of linesIn(state?.body.content)) if (one === line) times++;
  return times;
}

function* linesWritten({ ops }: DocumentRecord): Generator<string> {
  for (const operation of ops) {
    yield* parsePointer(operation.path)
      .slice(1)
      .filter((segment) => !isIndex(segment));
    if ('value' in operation) yield* linesIn(operation.value as Json);
  }
}

/** The texts that replace records, by number, and the states by version that replace those of the same version. */
export interface ErasedPast {
  records: { seq: bigint; record: string }[];
  states: ReadonlyMap<number, DocumentState>;
}

/**
 * Returns the history without the author's words. Every record of the author says by which receipt, and so does each later one whose
 * state has changed with it. States can be rebuilt as before, and have new etags.
 */
export async function erasePast(
  author: string,
  past: DocumentPast,
  words: ErasedWords,
  receiptId: string,
): Promise<ErasedPast> {
  const states = new Map<number, DocumentState>();
  const records: ErasedPast['records'] = [];
  let state = past.beginning && eraseState(past.beginning, words);
  if (state !== undefined) states.set(state.version, state);
  for (const [index, { seq, record: text }] of past.records.entries()) {
    if (index % recordsPerTurn === recordsPerTurn - 1) await nextTurn();
    const record = parseDocumentRecord({ record: text });
    const isOwn = record.actor.user_id === author;
    const erased = eraseRecord(record, words, isOwn);
    const before = state;
    state = nextState(state, erased);
    if (state !== undefined) states.set(state.version, state);
    // The etag of the earlier state alone is no reason to replace a record: a journal may still look for it.
    const isSame = !isOwn && state?.etag === (record.post_etag ?? undefined) && jsonText(erased) === jsonText(record);
    if (isSame || (isOwn && record.post_etag === null)) continue;
    const changed = {
      ...erased,
      pre_etag: record.pre_etag === null ? null : (before?.etag ?? null),
      post_etag: state?.etag ?? null,
      content_sha256: state === undefined ? null : contentHash(state.body.content),
      ops_sha256: opsHash(erased.ops),
      erased_by: receiptId,
    };
    records.push({ seq, record: jsonText(changed) });
  }
  return { records, states };
}

/** Returns blank records in place of a history that cannot be replayed. */
export function blankPast({ records }: DocumentPast, receiptId: string): ErasedPast {
  const withContent = records.filter((one) => parseDocumentRecord(one).post_etag !== null);
  return {
    records: withContent.map(({ seq, record }) => ({ seq, record: toErasedRecord(record, receiptId) })),
    states: new Map(),
  };
}

function jsonText(record: object): string {
  return canonicalJson(record as { [key: string]: Json });
}

/** Evidence and idempotency key of the author's own requests are the author's words too. */
function eraseRecord(record: DocumentRecord, words: ErasedWords, isOwn: boolean): DocumentRecord {
  const { origin, ops, evidence, idempotency } = record;
  return {
    ...record,
    ops: ops.map((operation) => words.inOperation(operation)),
    origin: origin && { ...origin, content: words.inValue(origin.content) as DocumentBody['content'] },
    evidence: isOwn ? null : words.inValue(evidence),
    idempotency: isOwn ? null : idempotency,
  };
}

export function eraseState(state: DocumentState, words: ErasedWords): DocumentState {
  const body = { ...state.body, content: words.inValue(state.body.content) as DocumentBody['content'] };
  return { ...state, body, etag: etagOf(state.version, body) };
}
