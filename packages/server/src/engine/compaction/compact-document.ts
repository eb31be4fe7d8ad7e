import { createHash } from 'node:crypto';
import { applyPatch, getAt, type Json } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { Excess } from '../documents/document-limits.js';
import type { GovernedDocument } from '../documents/governed-document.js';
import type { Binding, Profile } from '../documents/profile.js';
import { writeDocument } from '../documents/write-document.js';
import type { Engine } from '../engine.js';
import { type PreparedEvent, prepareEvent, storeEvent } from '../events/write-event.js';
import { noteStored } from '../memories/remember.js';
import { type Compaction, compactContent } from './compact-content.js';

export interface CompactionTarget {
  profile: Profile;
  binding: Binding;
  document: GovernedDocument;
}

interface CompactedDocument {
  document: GovernedDocument;
  /** Number of entries that were removed and stored as events. */
  moved: number;
}

/**
 * Compacts one document, with `excess` far enough for a write that would exceed a limit by that much. Returns undefined
 * if there is nothing to remove. Throws ETAG_MISMATCH if the document has changed.
 */
export async function compactDocument(
  engine: Engine,
  caller: Caller,
  target: CompactionTarget,
  excess?: Excess,
): Promise<CompactedDocument | undefined> {
  const { profile, binding, document } = target;
  const compaction = compactContent(profile, binding, document.body.content, engine.clock.now(), excess);
  if (compaction === undefined) return undefined;
  const events: PreparedEvent[] = [];
  for (const text of compaction.removed) events.push(await toEvent(engine, caller, target, text));
  const written = await write(engine, caller, target, compaction, events);
  for (const { indexed } of events) noteStored(engine, caller, indexed);
  return { document: written, moved: compaction.removed.length };
}

/** The id is derived from document and text, so writing the same event twice stores it once. */
function toEvent(
  engine: Engine,
  caller: Caller,
  { binding, document }: CompactionTarget,
  text: string,
): Promise<PreparedEvent> {
  const { namespace, path, body } = document;
  const key = createHash('sha256').update(`${namespace}/${path}\n${text}`).digest('hex').slice(0, 32);
  const projectId = binding.template.match(path)?.project_id;
  return prepareEvent(engine, caller, {
    event_id: `evt_c${key}`,
    service_id: caller.actor.serviceId,
    timestamp: body.updated_at,
    source_type: 'compaction',
    digest: text,
    keywords: [],
    project_ids: projectId === undefined ? [] : [projectId],
    evidence: { document: `${namespace}/${path}`, version: document.version },
  });
}

/** Removes entries from the document and stores them as events in one transaction. */
async function write(
  engine: Engine,
  caller: Caller,
  { profile, binding, document }: CompactionTarget,
  { ops }: Compaction,
  events: readonly PreparedEvent[],
): Promise<GovernedDocument> {
  const write = {
    namespace: document.namespace,
    path: document.path,
    profileId: profile.profileId,
    bindingId: binding.bindingId,
    reason: 'compaction',
    evidence: null,
    confidence: null,
    precondition: { kind: 'one-of', etags: [document.etag] } as const,
    replaces: false,
    idempotency: null,
    async alongside(tables: Tables, _: GovernedDocument, now: Date) {
      const mutations: Mutation[] = [];
      for (const event of events) mutations.push(await storeEvent(tables, caller, event, now));
      return mutations;
    },
  };
  const { document: written } = await writeDocument(engine, caller, write, async ({ before, validate }) => {
    const content = getAt(applyPatch({ content: before.content }, ops), ['content']) as Json;
    validate(content);
    return { content, ops, redirected: false };
  });
  return written;
}
