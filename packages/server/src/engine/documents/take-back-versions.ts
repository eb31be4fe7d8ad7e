import { applyPatch, invertPatch, type Json, type PatchOperation, Problem, rebasePatch } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { documentAt } from './document-at.js';
import { documentTarget } from './document-path.js';
import { type DocumentRecord, parseDocumentRecord } from './document-record.js';
import { prepareStored } from './follow-stored.js';
import { writeUnbound } from './write-unbound.js';

/** A patch that leads back to before a version, but no longer applies: others changed the same place since. */
export interface StuckPatch {
  record: DocumentRecord;
  ops: PatchOperation[];
}

export interface TakenBack {
  /** How many versions were taken back. */
  patches: number;
  /** The version that does so; null if there is none. */
  version: number | null;
  stuck: StuckPatch[];
}

interface TakeBackOptions {
  isTaken(record: DocumentRecord): boolean;
  reason: string;
  /** Finds out what would happen, and changes nothing. */
  isTrial: boolean;
  /** Makes further changes in the same transaction. */
  alongside(tables: Tables, taken: TakenBack, now: Date): readonly Mutation[];
}

const pageSize = 500;

/** Takes back versions of a document, newest first, as one new version. Changes that others made since stay. */
export async function takeBackVersions(
  engine: Engine,
  caller: Caller,
  place: DocumentPlace,
  { isTaken, reason, isTrial, alongside }: TakeBackOptions,
): Promise<TakenBack> {
  const follow = await prepareStored(engine, caller, place);
  return mutate(engine, caller, async (tables, now, slow) => {
    const stored = await tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path });
    const records = (await readRecords(tables, place)).filter((one) => one.post_etag !== null && isTaken(one));
    if (stored === undefined || records.length === 0) return { result: none, mutations: [] };
    const plan = await planReturn(tables, place, stored.body.content, records);
    const { schema_id, schema_version } = stored.body;
    const schema = await engine.registry.schema(tables, caller.tenantId, schema_id, schema_version);
    const isValid = (content: DocumentBody['content']) => {
      try {
        if (schema !== undefined) engine.registry.schemas.validate(slow, schema, content);
        return true;
      } catch (error) {
        if (error instanceof Problem) return false;
        throw error;
      }
    };
    const { content, ops } = plan;
    const isStuck = !isValid(content);
    const stuck = isStuck ? plan.all : plan.stuck;
    const patches = records.length - stuck.length;
    if (isTrial) return { result: { patches, version: null, stuck }, mutations: [] };
    if (patches === 0) {
      const taken = { patches, version: null, stuck };
      return { result: taken, mutations: alongside(tables, taken, now) };
    }
    const change = { stored, content, ops, reason, follow };
    const { version, mutations } = await writeUnbound(tables, caller, place, change, now);
    const taken = { patches, version, stuck };
    return { result: taken, mutations: [...mutations, ...alongside(tables, taken, now)] };
  });
}

const none: TakenBack = { patches: 0, version: null, stuck: [] };

async function readRecords(tables: Tables, place: DocumentPlace): Promise<DocumentRecord[]> {
  const records: DocumentRecord[] = [];
  for (let after = 0; ; ) {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, limit: pageSize };
    const page = (await tables.audit.versions(documentTarget(place), range)).map(parseDocumentRecord);
    records.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return records;
    after = last.document_version;
  }
}

/** Leads back from the last version to the first, each rebased on what is there now. */
async function planReturn(
  tables: Tables,
  place: DocumentPlace,
  current: DocumentBody['content'],
  records: readonly DocumentRecord[],
) {
  let state: Json = { content: current };
  const ops: PatchOperation[] = [];
  const [all, stuck]: [StuckPatch[], StuckPatch[]] = [[], []];
  for (const record of records.toReversed()) {
    const version = record.document_version;
    const before = record.origin ?? (await documentAt(tables, place, { version: version - 1 }))?.body;
    if (before === undefined) continue;
    const inverse = invertPatch({ content: before.content }, record.ops);
    const base = applyPatch({ content: before.content }, record.ops);
    const rebased = rebasePatch({ base, latest: state, ops: inverse });
    all.push({ record, ops: inverse });
    if ('conflict' in rebased) {
      stuck.push({ record, ops: inverse });
      continue;
    }
    state = applyPatch(state, rebased.ops);
    ops.push(...rebased.ops);
  }
  return { content: (state as Pick<DocumentBody, 'content'>).content, ops, all, stuck };
}
