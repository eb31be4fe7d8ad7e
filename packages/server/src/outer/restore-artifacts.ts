import { recordMutations, type Work } from '../engine/audit/mutate.js';
import { scopeOf, systemCaller } from '../engine/caller.js';
import { prepareStored } from '../engine/documents/follow-stored.js';
import type { Engine } from '../engine/engine.js';
import type { ArtifactOwner, StoredArtifact } from '../ports/artifact-store.js';
import { type Artifact, type ArtifactKey, type ArtifactKind, assembleArtifact } from '../ports/artifacts.js';
import { adoptIfUnchanged } from './adopt-document.js';
import { attemptWrite } from './attempt-write.js';
import { carryOut } from './carry-out.js';
import { deriveRows } from './derive-rows.js';
import type { Outer } from './outer.js';
import { restoreDocument } from './restore-document.js';

const kinds: readonly ArtifactKind[] = ['document', 'event', 'snapshot'];
/** The size of an embedder's batch. */
const atATime = 32;
const rowsAtATime = 500;

/** Restores the rows of the artifacts in the outer store. Other rows are removed, or copied there if they never were in it. */
export async function restoreArtifacts(outer: Outer, owner: ArtifactOwner): Promise<void> {
  for (const kind of kinds) {
    const listed = new Set<string>();
    let batch: { key: ArtifactKey; tag: string }[] = [];
    for await (const { folder, name, tag } of outer.blobs.list(owner, kind)) {
      listed.add(`${folder}\n${name}`);
      batch.push({ key: { kind, folder, name }, tag });
      if (batch.length < atATime) continue;
      await restoreBatch(outer, owner, batch);
      batch = [];
    }
    await restoreBatch(outer, owner, batch);
    await checkUnlisted(outer, owner, kind, listed);
  }
}

async function restoreBatch(
  outer: Outer,
  owner: ArtifactOwner,
  batch: readonly { key: ArtifactKey; tag: string }[],
): Promise<void> {
  const tags = await outer.database.write(owner, (tables) =>
    Promise.all(batch.map(({ key }) => tables.artifacts.outerTag(key))),
  );
  const differing = batch.filter(({ tag }, index) => tags[index] !== tag);
  const found = await Promise.all(
    differing.map(async ({ key }) => ({ key, stored: await outer.blobs.get(owner, key) })),
  );
  const restored = found.flatMap(({ key, stored }) => toRow(outer.engine, key, stored) ?? []);
  const storeDerived = await deriveRows(outer.engine, owner, restored);
  const documents = await Promise.all(
    found.flatMap(({ key, stored }) =>
      key.kind !== 'document' || stored === undefined ? [] : [prepareDocument(outer, owner, key, stored)],
    ),
  );
  const edited = await outer.database.write(owner, async (tables) => {
    for (const artifact of restored) {
      tables.artifacts.put(artifact);
      tables.artifacts.setOuterTag(artifact, artifact.outerTag);
    }
    await storeDerived(tables);
    const edited: ArtifactKey[] = [];
    for (const { key, stored, follow } of documents) {
      if (!(await restoreDocument(tables, key, stored, follow))) edited.push(key);
    }
    return edited;
  });
  for (const key of edited) await adoptIfUnchanged(outer, owner, key);
}

async function prepareDocument(
  { engine }: Outer,
  { tenantId, userId }: ArtifactOwner,
  key: ArtifactKey,
  stored: StoredArtifact,
) {
  const caller = systemCaller(tenantId, userId, 'artifacts.restore');
  // The documents are as they were, so nothing follows from them for facts.
  const alone = { ...engine, pieceWatchers: [] };
  return { key, stored, follow: await prepareStored(alone, caller, { namespace: key.folder, path: key.name }) };
}

/** Returns the row of an artifact that is not a document. Documents are rebuilt from their audit records. */
function toRow(engine: Engine, key: ArtifactKey, stored: StoredArtifact | undefined): Artifact | undefined {
  if (key.kind === 'document' || stored === undefined) return undefined;
  if (stored.facts === null) {
    engine.onFault(new Error(`${key.kind} ${key.name} is not as Memhall wrote it`), 'restore an artifact');
    return undefined;
  }
  return assembleArtifact({ ...key, ...stored.facts }, JSON.parse(stored.text), stored.tag);
}

async function checkUnlisted(
  outer: Outer,
  owner: ArtifactOwner,
  kind: ArtifactKind,
  listed: ReadonlySet<string>,
): Promise<void> {
  let after: [string, string] = ['', ''];
  for (;;) {
    const page = await outer.database.write(owner, (tables) =>
      tables.artifacts.list(kind, { after, limit: rowsAtATime }),
    );
    for (const { folder, name } of page) {
      if (!listed.has(`${folder}\n${name}`)) await checkRow(outer, owner, { kind, folder, name });
      after = [folder, name];
    }
    if (page.length < rowsAtATime) return;
  }
}

/** Copies a row to the outer store if it never was in it. Any other row was in it and has been removed there. */
async function checkRow(outer: Outer, owner: ArtifactOwner, key: ArtifactKey): Promise<void> {
  const wasThere = await outer.database.write(owner, async (tables) => {
    const row = await tables.artifacts.get(key);
    if (row === undefined || row.outerTag !== null) return row !== undefined;
    const tag = await carryOut(outer.blobs, owner, { key, tag: null, put: row }, row.updatedAt);
    tables.artifacts.setOuterTag(key, tag);
    return false;
  });
  if (!wasThere) return;
  if (key.kind === 'document') await adoptIfUnchanged(outer, owner, key);
  else await adoptRemoval(outer, owner, key);
}

async function adoptRemoval(outer: Outer, owner: ArtifactOwner, key: ArtifactKey): Promise<void> {
  if ((await outer.blobs.get(owner, key)) !== undefined) return;
  const caller = systemCaller(owner.tenantId, owner.userId, 'artifacts.adopt');
  const work: Work<void> = async (tables) => {
    const row = await tables.artifacts.get(key);
    if (row === undefined) return { result: undefined, mutations: [] };
    tables.artifacts.delete(key);
    const target = [`${key.kind}s`, key.folder, key.name].filter((part) => part !== '').join('/');
    return { result: undefined, mutations: [{ target, preEtag: row.etag, postEtag: null, contentHash: null }] };
  };
  await attemptWrite(outer, scopeOf(caller), (tables) => recordMutations(outer.engine, caller, tables, work));
}
