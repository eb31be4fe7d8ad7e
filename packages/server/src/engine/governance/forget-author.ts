import { type Json, Problem } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Counts, NotePlace } from '../../ports/erasure.js';
import { workspaceOf, workspaceOwner } from '../../ports/owners.js';
import type { Tables } from '../../ports/store.js';
import { toAuditRecord } from '../audit/audit-record.js';
import { erasedDetails } from '../audit/erased-records.js';
import { type Caller, systemCaller } from '../caller.js';
import { documentTarget } from '../documents/document-path.js';
import { parseDocumentRecord } from '../documents/document-record.js';
import {
  blankPast,
  type DocumentPast,
  type ErasedPast,
  erasePast,
  eraseState,
  linesBy,
} from '../documents/erase-author.js';
import { ErasedWords, linesIn } from '../documents/erase-words.js';
import { removeAuthor } from '../documents/remove-author.js';
import type { Engine } from '../engine.js';
import { tierNamespace } from '../tier-path.js';
import { removeWords } from '../tiers/remove-words.js';
import { fromTierPath } from '../tiers/tier-place.js';
import { refuseIfHeld } from './legal-holds.js';
import { addCounts, receiptTarget } from './receipt.js';

const pageSize = 500;
const maxTries = 5;

const none: Counts = { texts_elsewhere: 0 };

/**
 * Removes what the caller's user wrote into documents of others: from the documents, their search entries, quarantined texts, earlier
 * versions and audit records. Words of others stay. A record in the same chain names the receipt. Throws LEGAL_HOLD if an owner is held.
 */
export async function forgetAuthor(
  engine: Engine,
  caller: Caller,
  places: readonly NotePlace[],
  receiptId: string,
): Promise<Counts> {
  let counts = none;
  for (const place of places) {
    for (let tries = 1; tries <= maxTries; tries++) {
      const lines = await linesAt(engine, caller, place);
      let isDone = true;
      for (const one of await copiesOf(engine, caller, place)) {
        const done = await forgetIn(engine, caller, one, { lines, receiptId });
        counts = addCounts(counts, done.counts);
        isDone &&= done.isDone;
      }
      if (isDone) break;
    }
  }
  return counts;
}

/** Returns the place, the same one of the owner's other chain, and documents that began with its content. */
async function copiesOf(engine: Engine, { tenantId }: Caller, place: NotePlace): Promise<NotePlace[]> {
  const { userId } = place;
  const copies = await engine.store.erase({ tenantId, userId }, (tables) => tables.erasure.copiesOf(place));
  return [place, { ...place, userId: pairOf(userId) }, ...copies.map((copy) => ({ ...copy, userId }))];
}

/** Notes of a workspace were once stored under the user of that name, and their audit records still are. */
function pairOf(owner: string): string {
  return workspaceOf(owner) ?? workspaceOwner(owner);
}

/** Returns the lines that the user was the first to write at a place, in either of its chains. */
async function linesAt(engine: Engine, { tenantId, userId }: Caller, place: NotePlace): Promise<Set<string>> {
  const lines = new Set<string>();
  for (const owner of [place.userId, pairOf(place.userId)]) {
    const own = await engine.store.read({ tenantId, userId: owner }, (tables) =>
      readLines(engine, tables, tenantId, userId, place),
    );
    for (const line of own.lines) lines.add(line);
  }
  return lines;
}

async function readLines(engine: Engine, tables: Tables, tenantId: string, author: string, place: DocumentPlace) {
  const past = await readPast(tables, place);
  const common = await schemaWords(engine, tables, tenantId, past);
  try {
    return { past, lines: await linesBy(author, past, (line) => common.has(line)) };
  } catch {
    // The history cannot be replayed. It will be blanked as a whole.
    return { past, lines: new Set<string>() };
  }
}

async function readPast(tables: Tables, place: DocumentPlace): Promise<DocumentPast> {
  const beginning = await tables.documentCheckpoints.beginning(place);
  const records: DocumentPast['records'][number][] = [];
  for (let after = 0; ; ) {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, limit: pageSize };
    const page = await tables.audit.versions(documentTarget(place), range);
    records.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return { beginning, records };
    after = parseDocumentRecord(last).document_version;
  }
}

/** Returns the names and values that the schemas of a document define. They are nobody's words. */
async function schemaWords(
  engine: Engine,
  tables: Tables,
  tenantId: string,
  { records }: DocumentPast,
): Promise<Set<string>> {
  const words = new Set<string>();
  const schemas = new Map(
    records.map(parseDocumentRecord).map((one) => [`${one.schema_id}\n${one.schema_version}`, one] as const),
  );
  for (const { schema_id, schema_version } of schemas.values()) {
    const found = await engine.registry.schema(tables, tenantId, schema_id, schema_version);
    for (const word of linesIn(found?.schema as Json | undefined)) words.add(word);
  }
  return words;
}

/** `isDone` is false if somebody wrote meanwhile, so that it has to be repeated. */
async function forgetIn(
  engine: Engine,
  caller: Caller,
  place: NotePlace,
  { lines, receiptId }: { lines: ReadonlySet<string>; receiptId: string },
): Promise<{ counts: Counts; isDone: boolean }> {
  const { tenantId, userId: author, operation, requestId } = caller;
  // Not in the name of the caller, who may be the author: what the caller writes would have to be erased again.
  const system = { ...systemCaller(tenantId, place.userId, operation), requestId };
  const words = wordsAt(place, author, lines);
  let counts: Counts = {};
  try {
    counts = await forgetPresent(engine, system, place, { words, author, pastLines: lines.size });
  } catch (error) {
    if (error instanceof Problem && error.code === 'ETAG_MISMATCH') return { counts, isDone: false };
    throw error;
  }
  const owner = { ...caller, userId: place.userId };
  const versions = await engine.store.erase({ tenantId, userId: place.userId }, (tables) =>
    forgetPast(engine, tables, owner, place, { lines, author, receiptId }),
  );
  return { counts: addCounts(counts, { versions_elsewhere: versions ?? 0 }), isDone: versions !== undefined };
}

/** Tiers list their writers. */
function wordsAt({ namespace }: DocumentPlace, author: string, lines: Iterable<string>): ErasedWords {
  return new ErasedWords(new Set([...lines, ...(namespace === tierNamespace ? [author] : [])]), author);
}

async function forgetPresent(
  engine: Engine,
  owner: Caller,
  place: NotePlace,
  given: { words: ErasedWords; author: string; pastLines: number },
): Promise<Counts> {
  refuseIfHeld(await engine.store.inspect(owner.tenantId, (tables) => tables.legalHolds.on(place.userId)));
  const tier = place.namespace === tierNamespace ? fromTierPath(place.path) : undefined;
  if (tier === undefined) {
    return { texts_elsewhere: (await removeAuthor(engine, owner, place, given.words)) ? 1 : 0 };
  }
  const { texts, changed, passages, quarantined } = await removeWords(engine, owner, tier, given);
  return {
    notes_elsewhere: texts,
    texts_elsewhere: changed,
    passages_elsewhere: passages,
    quarantined_elsewhere: quarantined,
  };
}

interface Author {
  lines: ReadonlySet<string>;
  author: string;
  receiptId: string;
}

/** Returns the number of replaced records, or undefined if the author's words are in the document again. */
async function forgetPast(
  engine: Engine,
  tables: Tables,
  owner: Caller,
  place: NotePlace,
  { lines, author, receiptId }: Author,
): Promise<number | undefined> {
  refuseIfHeld(await tables.legalHolds.on(owner.userId));
  const found = await readLines(engine, tables, owner.tenantId, author, place);
  const words = wordsAt(place, author, [...lines, ...found.lines]);
  const stored = await tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path });
  const fresh = [...found.lines].some((line) => !lines.has(line));
  if (stored !== undefined && fresh) return undefined;
  const erased = await eraseOrBlank(author, found.past, words, receiptId);
  for (let from = 0; from < erased.records.length; from += pageSize) {
    const replaced = await tables.erasure.replaceRecords(erased.records.slice(from, from + pageSize));
    const mutation = {
      target: receiptTarget(receiptId),
      ...{ preEtag: null, postEtag: null, contentHash: null },
      details: erasedDetails(engine.auditKey, owner.tenantId, replaced),
    };
    tables.audit.append([toAuditRecord(owner, mutation, engine.clock.now())]);
  }
  for (const state of await tables.erasure.states(place)) {
    const changed = erased.states.get(state.version) ?? eraseState(state, words);
    if (changed.etag !== state.etag) tables.erasure.replaceState(place, changed);
  }
  const own = found.past.records.map(parseDocumentRecord).filter(({ actor }) => actor.user_id === author);
  tables.erasure.removeKeys(own.flatMap(({ idempotency }) => idempotency?.key ?? []));
  return erased.records.length;
}

async function eraseOrBlank(
  author: string,
  past: DocumentPast,
  words: ErasedWords,
  receiptId: string,
): Promise<ErasedPast> {
  try {
    return await erasePast(author, past, words, receiptId);
  } catch {
    return blankPast(past, receiptId);
  }
}
