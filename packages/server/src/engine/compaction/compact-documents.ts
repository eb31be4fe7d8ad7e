import { createHash } from 'node:crypto';
import { applyPatch, getAt, type Json, Problem } from '@memhall/core';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { type Caller, systemCaller } from '../caller.js';
import { fromArtifact, type GovernedDocument } from '../documents/governed-document.js';
import type { Binding, Profile } from '../documents/profile.js';
import { writeDocument } from '../documents/write-document.js';
import type { Engine } from '../engine.js';
import { type PreparedEvent, prepareEvent, storeEvent } from '../events/write-event.js';
import { noteStored } from '../memories/remember.js';
import { type Compaction, compactContent } from './compact-content.js';

interface CompactionReport {
  documents: number;
  compacted: number;
  /** Entries that were removed and stored as events. */
  moved: number;
  /** Documents that changed concurrently or would violate their rules: left for the next time. */
  skipped: number;
}

const pageSize = 100;

/**
 * Compacts a tenant's documents for each of its profiles, or for one. Idempotent; safe with concurrent writers and on
 * many nodes at once.
 */
export async function compactDocuments(
  engine: Engine,
  tenantId: string,
  options: { profileId?: string | undefined; userId?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<CompactionReport> {
  const report: CompactionReport = { documents: 0, compacted: 0, moved: 0, skipped: 0 };
  const { profiles, users } = await engine.store.inspect(tenantId, async (tables) => ({
    profiles: (await engine.registry.registeredProfiles(tables)).map((profile) => engine.registry.read(profile)),
    users: await tables.artifacts.owners('document'),
  }));
  const wanted = profiles.filter(({ profileId }) => options.profileId === undefined || profileId === options.profileId);
  for (const userId of users.filter((user) => options.userId === undefined || user === options.userId)) {
    for (const profile of wanted) {
      for (const binding of profile.bindings.filter(({ writeMode }) => writeMode !== 'read_only')) {
        options.signal?.throwIfAborted();
        await compactBinding(engine, systemCaller(tenantId, userId, 'documents.compact'), profile, binding, report);
      }
    }
  }
  return report;
}

async function compactBinding(
  engine: Engine,
  caller: Caller,
  profile: Profile,
  binding: Binding,
  report: CompactionReport,
): Promise<void> {
  for (let after: readonly [string, string] | undefined; ; ) {
    const page = await engine.store.read({ tenantId: caller.tenantId, userId: caller.userId }, async (tables) => {
      const listed = await tables.artifacts.list('document', {
        folder: binding.namespace,
        limit: pageSize,
        ...(after === undefined ? {} : { after }),
      });
      const names = listed.map(({ name }) => name).filter((name) => binding.template.match(name) !== undefined);
      return { listed, artifacts: await tables.artifacts.getMany('document', binding.namespace, names) };
    });
    for (const artifact of page.artifacts) {
      report.documents += 1;
      await compactDocument(engine, caller, { profile, binding, document: fromArtifact(artifact) }, report);
    }
    const last = page.listed.at(-1);
    if (page.listed.length < pageSize || last === undefined) return;
    after = [last.folder, last.name];
  }
}

interface Target {
  profile: Profile;
  binding: Binding;
  document: GovernedDocument;
}

async function compactDocument(
  engine: Engine,
  caller: Caller,
  target: Target,
  report: CompactionReport,
): Promise<void> {
  const { profile, binding, document } = target;
  const compaction = compactContent(profile, binding, document.body.content, engine.clock.now());
  if (compaction === undefined) return;
  try {
    const events: PreparedEvent[] = [];
    for (const text of compaction.removed) events.push(await toEvent(engine, caller, target, text));
    await write(engine, caller, target, compaction, events);
    for (const { indexed } of events) noteStored(engine, caller, indexed);
    report.compacted += 1;
    report.moved += compaction.removed.length;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    report.skipped += 1;
  }
}

/** The id is derived from document and text, so writing the same event twice stores it once. */
function toEvent(engine: Engine, caller: Caller, { binding, document }: Target, text: string): Promise<PreparedEvent> {
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
  target: Target,
  { ops }: Compaction,
  events: readonly PreparedEvent[],
): Promise<void> {
  const { profile, binding, document } = target;
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
  await writeDocument(engine, caller, write, ({ before, validate }) => {
    const content = getAt(applyPatch({ content: before.content }, ops), ['content']) as Json;
    validate(content);
    return { content, ops, redirected: false };
  });
}
