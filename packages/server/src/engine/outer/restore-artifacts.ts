import type { ArtifactOwner, StoredArtifact } from '../../ports/artifact-store.js';
import { type Artifact, type ArtifactKey, type ArtifactKind, assembleArtifact } from '../../ports/artifacts.js';
import { systemCaller } from '../caller.js';
import { adoptDocument } from '../documents/adopt-document.js';
import { restoreDocument } from '../documents/restore-document.js';
import type { Engine } from '../engine.js';
import { attemptOuter } from './attempt-outer.js';
import { carryOut } from './carry-out.js';
import { inTransaction } from './in-transaction.js';
import { Outdated } from './outdated.js';
import type { OuterArtifacts } from './outer-artifacts.js';

const kinds: readonly ArtifactKind[] = ['document', 'event', 'snapshot'];
/** As many as are embedded at once. */
const atATime = 32;
const rowsAtATime = 500;

/** Rows of artifacts from what the outer store lists; rows it does not list are removed, or brought there if they never were. */
export async function restoreArtifacts(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<void> {
  for (const kind of kinds) {
    const listed = new Set<string>();
    let batch: { key: ArtifactKey; tag: string }[] = [];
    for await (const { folder, name, tag } of outer.store.list(owner, kind)) {
      listed.add(`${folder}\n${name}`);
      batch.push({ key: { kind, folder, name }, tag });
      if (batch.length < atATime) continue;
      await restoreBatch(engine, outer, owner, batch);
      batch = [];
    }
    await restoreBatch(engine, outer, owner, batch);
    await weighUnlisted(engine, outer, owner, kind, listed);
  }
}

async function restoreBatch(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  batch: readonly { key: ArtifactKey; tag: string }[],
): Promise<void> {
  const tags = await inTransaction(engine, owner, (tables) =>
    Promise.all(batch.map(({ key }) => tables.artifacts.outerTag(key))),
  );
  const differing = batch.filter(({ tag }, index) => tags[index] !== tag);
  const found = await Promise.all(
    differing.map(async ({ key }) => ({ key, stored: await outer.store.get(owner, key) })),
  );
  const restored = found.flatMap(({ key, stored }) => toRow(engine, key, stored) ?? []);
  const storeDerived = await outer.derive.rows(engine, owner, restored);
  const edited = await inTransaction(engine, owner, async (tables) => {
    for (const artifact of restored) {
      tables.artifacts.put(artifact);
      tables.artifacts.setOuterTag(artifact, artifact.outerTag);
    }
    await storeDerived(tables);
    const edited: ArtifactKey[] = [];
    for (const { key, stored } of found) {
      if (key.kind !== 'document' || stored === undefined) continue;
      if (!(await restoreDocument(tables, key, stored))) edited.push(key);
    }
    return edited;
  });
  for (const key of edited) await adopt(engine, outer, owner, key);
}

/** Documents follow from their records; anything else is as the outer store has it. */
function toRow(engine: Engine, key: ArtifactKey, stored: StoredArtifact | undefined): Artifact | undefined {
  if (key.kind === 'document' || stored === undefined) return undefined;
  if (stored.facts === null) {
    engine.onFault(new Error(`${key.kind} ${key.name} is not as Memhall wrote it`), 'restore an artifact');
    return undefined;
  }
  return assembleArtifact({ ...key, ...stored.facts }, JSON.parse(stored.text), stored.tag);
}

async function weighUnlisted(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  kind: ArtifactKind,
  listed: ReadonlySet<string>,
): Promise<void> {
  let after: [string, string] = ['', ''];
  for (;;) {
    const page = await inTransaction(engine, owner, (tables) =>
      tables.artifacts.list(kind, { after, limit: rowsAtATime }),
    );
    for (const { folder, name } of page) {
      if (!listed.has(`${folder}\n${name}`)) await weigh(engine, outer, owner, { kind, folder, name });
      after = [folder, name];
    }
    if (page.length < rowsAtATime) return;
  }
}

/** A row that was never in the outer store is brought there; any other was there and has been removed. */
async function weigh(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner, key: ArtifactKey): Promise<void> {
  const wasThere = await inTransaction(engine, owner, async (tables) => {
    const row = await tables.artifacts.get(key);
    if (row === undefined || row.outerTag !== null) return row !== undefined;
    const tag = await carryOut(outer.store, owner, { key, tag: null, put: row }, row.updatedAt);
    tables.artifacts.setOuterTag(key, tag);
    return false;
  });
  if (!wasThere) return;
  if (key.kind === 'document') await adopt(engine, outer, owner, key);
  else await adoptRemoval(engine, outer, owner, key);
}

async function adopt(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner, key: ArtifactKey): Promise<void> {
  try {
    await adoptDocument(engine, outer, owner, key);
  } catch (error) {
    // Somebody writes it now: they see to it.
    if (!(error instanceof Outdated)) throw error;
  }
}

async function adoptRemoval(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  key: ArtifactKey,
): Promise<void> {
  if ((await outer.store.get(owner, key)) !== undefined) return;
  const caller = systemCaller(owner.tenantId, owner.userId, 'artifacts.adopt');
  await attemptOuter(engine, outer, caller, async (tables) => {
    const row = await tables.artifacts.get(key);
    if (row === undefined) return { result: undefined, mutations: [] };
    tables.artifacts.delete(key);
    const target = [`${key.kind}s`, key.folder, key.name].filter((part) => part !== '').join('/');
    return { result: undefined, mutations: [{ target, preEtag: row.etag, postEtag: null, contentHash: null }] };
  });
}
