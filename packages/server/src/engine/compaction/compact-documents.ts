import { Problem } from '@memhall/core';
import { type Caller, systemCaller } from '../caller.js';
import { fromArtifact } from '../documents/governed-document.js';
import type { Binding, Profile } from '../documents/profile.js';
import type { Engine } from '../engine.js';
import { compactDocument } from './compact-document.js';

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
      try {
        const target = { profile, binding, document: fromArtifact(artifact) };
        const compacted = await compactDocument(engine, caller, target);
        report.compacted += compacted === undefined ? 0 : 1;
        report.moved += compacted?.moved ?? 0;
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        report.skipped += 1;
      }
    }
    const last = page.listed.at(-1);
    if (page.listed.length < pageSize || last === undefined) return;
    after = [last.folder, last.name];
  }
}
