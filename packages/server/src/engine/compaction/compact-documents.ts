import { Problem } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { type Caller, scopeOf, systemCaller } from '../caller.js';
import { fromArtifact } from '../documents/governed-document.js';
import { lastProfile } from '../documents/last-profile.js';
import { type Binding, bindsDocument, type Profile } from '../documents/profile.js';
import type { Engine } from '../engine.js';
import { type CompactionTarget, compactDocument } from './compact-document.js';

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
 * Compacts a tenant's documents, each for the profile that it was last written with, or all of them for the given
 * profile. Idempotent; safe with concurrent writers and on many nodes at once.
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
  const others = (profile: Profile) =>
    options.profileId === undefined ? profiles.filter((one) => one !== profile) : [];
  for (const userId of users.filter((user) => options.userId === undefined || user === options.userId)) {
    for (const profile of wanted) {
      for (const binding of profile.bindings.filter(({ writeMode }) => writeMode !== 'read_only')) {
        options.signal?.throwIfAborted();
        const caller = systemCaller(tenantId, userId, 'documents.compact');
        await compactBinding(engine, caller, { profile, binding, others: others(profile) }, report);
      }
    }
  }
  return report;
}

interface BindingRules {
  profile: Profile;
  binding: Binding;
  /** Profiles whose documents this one leaves alone. */
  others: readonly Profile[];
}

async function compactBinding(
  engine: Engine,
  caller: Caller,
  { profile, binding, others }: BindingRules,
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
    for (const document of page.artifacts.map(fromArtifact)) {
      if (await belongsTo(engine, caller, document, others)) continue;
      report.documents += 1;
      await compactOne(engine, caller, { profile, binding, document }, report);
    }
    const last = page.listed.at(-1);
    if (page.listed.length < pageSize || last === undefined) return;
    after = [last.folder, last.name];
  }
}

async function compactOne(
  engine: Engine,
  caller: Caller,
  target: CompactionTarget,
  report: CompactionReport,
): Promise<void> {
  try {
    const compacted = await compactDocument(engine, caller, target);
    if (compacted === undefined) return;
    report.compacted += 1;
    report.moved += compacted.moved;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    report.skipped += 1;
  }
}

/** Whether the document was last written with one of these profiles, and that still has a binding for it. */
async function belongsTo(
  engine: Engine,
  caller: Caller,
  document: DocumentPlace,
  profiles: readonly Profile[],
): Promise<boolean> {
  const candidates = profiles.filter((profile) => bindsDocument(profile, document));
  if (candidates.length === 0) return false;
  const written = await engine.store.read(scopeOf(caller), (tables) => lastProfile(tables, document));
  return candidates.some(({ profileId }) => profileId === written);
}
