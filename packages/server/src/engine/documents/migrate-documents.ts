import { type Json, jsonEqual, type OptionalLabel, Problem } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { type Caller, systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { readLong } from '../read-long.js';
import { fromArtifact } from './governed-document.js';
import { type Move, movesOf } from './has-moved.js';
import type { Binding, Profile } from './profile.js';
import { redactDocumentTask } from './redact-document.js';
import { replaceDocument } from './replace-document.js';

/**
 * copied: the document was copied to its new place, or would be. present: it is there already. changed: it is there and was
 * changed since. differs: it is there, was never changed, and has other content. missing: it is not there (verify), or the
 * older document is gone. refused: the write was rejected for the given reason.
 */
export type MigrationOutcome = 'copied' | 'present' | 'changed' | 'missing' | 'differs' | 'refused';

interface MigratedDocument {
  userId: string;
  from: DocumentPlace;
  to: DocumentPlace;
  outcome: MigrationOutcome;
  reason?: string;
}

const pageSize = 200;

/**
 * Copies a tenant's documents from the older places that a profile names to the current ones. A dry run only reports what would
 * be copied; `verify` compares. Existing documents at current places are left alone, and older documents stay where they are.
 */
export async function* migrateDocuments(
  engine: Engine,
  tenantId: string,
  profileId: string,
  mode: 'dry-run' | 'apply' | 'verify',
): AsyncGenerator<MigratedDocument> {
  const { profile, users } = await engine.store.inspect(tenantId, async (tables) => ({
    profile: await engine.registry.profile(tables, profileId),
    users: await tables.artifacts.owners('document'),
  }));
  for (const userId of users) {
    for (const move of await findMoves(engine, tenantId, userId, profile)) {
      const { binding, ...places } = move;
      const outcome = await migrateOne(engine, { tenantId, userId, profileId, mode }, move);
      yield { userId, ...places, ...outcome };
    }
  }
}

async function findMoves(engine: Engine, tenantId: string, userId: string, profile: Profile): Promise<Move[]> {
  const moves: Move[] = [];
  for (let after: readonly [string, string] | undefined; ; ) {
    const page = await engine.store.read({ tenantId, userId }, (tables) =>
      tables.artifacts.list('document', { limit: pageSize, ...(after === undefined ? {} : { after }) }),
    );
    for (const { folder, name } of page) moves.push(...movesOf(profile, { namespace: folder, path: name }));
    const last = page.at(-1);
    if (page.length < pageSize || last === undefined) return moves;
    after = [last.folder, last.name];
  }
}

interface Migration {
  tenantId: string;
  userId: string;
  profileId: string;
  mode: 'dry-run' | 'apply' | 'verify';
}

async function migrateOne(
  engine: Engine,
  { tenantId, userId, profileId, mode }: Migration,
  { binding, from, to }: Move,
): Promise<{ outcome: MigrationOutcome; reason?: string }> {
  const also = await engine.tenants.alsoRedacted({ tenantId, userId });
  const [older, present] = await engine.store.read({ tenantId, userId }, (tables) =>
    Promise.all(
      [from, to].map(({ namespace, path }) =>
        tables.artifacts.get({ kind: 'document', folder: namespace, name: path }),
      ),
    ),
  );
  if (present !== undefined) {
    return { outcome: mode === 'verify' ? await compare(engine, binding, older, present, also) : 'present' };
  }
  if (older === undefined || mode === 'verify') return { outcome: 'missing' };
  if (mode === 'dry-run') return { outcome: 'copied' };
  try {
    await replaceDocument(engine, migrator(tenantId, userId), {
      ...to,
      profileId,
      bindingId: binding.bindingId,
      content: contentOf(older),
      evidence: null,
      confidence: null,
      precondition: { kind: 'none' },
      idempotency: null,
    });
    return { outcome: 'copied' };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { outcome: 'refused', reason: error.message };
  }
}

async function compare(
  engine: Engine,
  binding: Binding,
  older: Artifact<'document'> | undefined,
  present: Artifact<'document'>,
  also: readonly OptionalLabel[],
): Promise<MigrationOutcome> {
  const copy = older && (await withoutSecrets(engine, binding, contentOf(older), also));
  if (copy !== undefined && jsonEqual(copy, contentOf(present))) return 'present';
  return present.version > 1 ? 'changed' : 'differs';
}

async function withoutSecrets(
  engine: Engine,
  { redactsSecrets }: Binding,
  value: Json,
  also: readonly OptionalLabel[],
): Promise<Json | undefined> {
  if (!redactsSecrets) return value;
  const input = { values: [{ name: '', value }], also };
  const { values } = await readLong(engine, redactDocumentTask, input, JSON.stringify(value).length);
  return values[0];
}

function contentOf(artifact: Artifact<'document'>): DocumentBody['content'] {
  return fromArtifact(artifact).body.content;
}

function migrator(tenantId: string, userId: string): Caller {
  const caller = systemCaller(tenantId, userId, 'documents.migrate');
  return { ...caller, actor: { ...caller.actor, roles: ['admin'] } };
}
