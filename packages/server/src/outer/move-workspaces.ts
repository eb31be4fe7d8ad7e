import { Problem } from '@memhall/core';
import { contentHash, type Mutation } from '../engine/audit/audit-record.js';
import { mutate } from '../engine/audit/mutate.js';
import { type Caller, scopeOf, systemCaller } from '../engine/caller.js';
import { addCheckpoint } from '../engine/documents/add-checkpoint.js';
import { documentTarget } from '../engine/documents/document-path.js';
import { parseDocumentRecord, toRecordDetails, unboundChange } from '../engine/documents/document-record.js';
import { etagOf, nextMoment, toArtifact } from '../engine/documents/governed-document.js';
import { removeStored } from '../engine/documents/remove-stored.js';
import { tierNamespace } from '../engine/tier-path.js';
import { dropTierIndex } from '../engine/tiers/tier-session.js';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Artifact } from '../ports/artifacts.js';
import { workspaceOf, workspaceOwner } from '../ports/owners.js';
import type { QuarantinedText } from '../ports/quarantine.js';
import type { Tables } from '../ports/store.js';
import { catchUp } from './catch-up.js';
import type { Outer } from './outer.js';
import { ownersOf, tenantsOf } from './rebuild-all.js';

const operation = 'workspaces.move';
const reason = 'admin_migration';
const rowsAtATime = 500;

/** A text of a tier that is still stored under the user of its workspace's name. */
interface Misplaced {
  path: string;
  document: Artifact<'document'> | undefined;
  quarantined: QuarantinedText[];
}

/**
 * Moves notes that were stored under the user of their workspace's name to the workspace: docs/decisions/0055. Each note is first
 * written to the workspace, then removed from the user, so a process that dies in between loses nothing, and the next one goes on.
 * Several processes may do this at the same time. Returns the number of notes that had to stay, each reported as a fault.
 */
export async function moveWorkspaces(outer: Outer): Promise<number> {
  let left = 0;
  for (const tenantId of await tenantsOf(outer, undefined)) {
    for (const owner of await ownersOf(outer, tenantId)) {
      if (owner.userId === '' || workspaceOf(owner.userId) !== undefined) continue;
      for (const path of await misplacedPaths(outer, owner)) {
        if (!(await moveIfPossible(outer, owner, path))) left++;
      }
    }
  }
  return left;
}

/** Looks at blobs and at rows: rows from before the blob store may be in the database alone. */
async function misplacedPaths(outer: Outer, owner: ArtifactOwner): Promise<Set<string>> {
  const { blobs, database } = outer;
  await catchUp(outer, owner, []);
  const paths = new Set<string>();
  for await (const { folder, name } of blobs.list(owner, 'document')) if (folder === tierNamespace) paths.add(name);
  for (let after = ''; ; ) {
    const page = await database.read(owner, (tables) =>
      tables.artifacts.list('document', { folder: tierNamespace, after: [tierNamespace, after], limit: rowsAtATime }),
    );
    for (const { name } of page) paths.add(name);
    after = page.at(-1)?.name ?? after;
    if (page.length < rowsAtATime) break;
  }
  const held = await database.read(owner, (tables) => tables.quarantine.all());
  for (const { namespace, path } of held) if (namespace === tierNamespace) paths.add(path);
  return paths;
}

/** Returns false if the note cannot be moved without losing something. */
async function moveIfPossible({ engine }: Outer, owner: ArtifactOwner, path: string): Promise<boolean> {
  const from = systemCaller(owner.tenantId, owner.userId, operation);
  const to = systemCaller(owner.tenantId, workspaceOwner(owner.userId), operation);
  try {
    const found = await engine.store.read(scopeOf(from), (tables) => findMisplaced(tables, path));
    await mutate(engine, to, async (tables, now) => ({
      result: undefined,
      mutations: await addTo(tables, to, found, now),
    }));
    await mutate(engine, from, async (tables, now) => ({
      result: undefined,
      mutations: await removeFrom(tables, from, found, now),
    }));
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error;
    engine.onFault(error, `moving the note ${path} of tenant ${owner.tenantId} to the workspace ${owner.userId}`);
    return false;
  }
}

async function findMisplaced(tables: Tables, path: string): Promise<Misplaced> {
  const [document, quarantined] = await Promise.all([
    tables.artifacts.get({ kind: 'document', folder: tierNamespace, name: path }),
    tables.quarantine.at({ namespace: tierNamespace, path }),
  ]);
  return { path, document, quarantined };
}

async function addTo(tables: Tables, { userId }: Caller, found: Misplaced, now: Date): Promise<Mutation[]> {
  const mutations = found.document === undefined ? [] : await addDocument(tables, found.document, now);
  for (const text of found.quarantined) {
    if ((await tables.quarantine.get(text.id)) !== undefined) continue;
    tables.quarantine.put({ ...text, userId });
    mutations.push(quarantineMutation(text, text.contentHash));
  }
  return mutations;
}

/** Adds the document as the next version, because its records stay behind. Its first record names the state that was moved. */
async function addDocument(tables: Tables, moved: Artifact<'document'>, now: Date): Promise<Mutation[]> {
  const place = { namespace: moved.folder, path: moved.name };
  const target = documentTarget(place);
  const [first] = await tables.audit.versions(target, { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1 });
  if (first !== undefined) {
    const { evidence } = parseDocumentRecord(first);
    if ((evidence as { moved_etag?: string } | null)?.moved_etag === moved.etag) return [];
    throw new Problem(
      'CONFLICT',
      'The workspace has a note of this name. Merge the two by hand, then delete the older blob.',
    );
  }
  const moment = nextMoment(now, moved.body.updated_at);
  const body = { ...moved.body, updated_at: moment.toISOString() };
  const version = moved.version + 1;
  const etag = etagOf(version, body);
  const artifact = toArtifact({ ...place, version, etag, body }, null);
  tables.artifacts.put(artifact);
  addCheckpoint(tables, artifact);
  const { doc_id, created_at, content, updated_by: updatedBy } = body;
  const change = unboundChange(undefined, body, {
    ops: [{ op: 'replace', path: '/content', value: content }],
    reason,
    updatedBy,
  });
  const details = toRecordDetails({
    ...change,
    version,
    evidence: { moved_etag: moved.etag },
    origin: { doc_id, created_at, content: {}, migrated_from: null },
  });
  return [{ target, preEtag: null, postEtag: etag, contentHash: contentHash(content), at: moment, details }];
}

async function removeFrom(tables: Tables, owner: Caller, { path, document, quarantined }: Misplaced, now: Date) {
  const present = await findMisplaced(tables, path);
  const mutations: Mutation[] = [];
  if (present.document !== undefined) {
    if (present.document.etag !== document?.etag) {
      throw new Problem('CONFLICT', 'The note was edited while it was moved. Start the server again.');
    }
    const { updated_by: updatedBy } = present.document.body;
    mutations.push(await removeStored(tables, present.document, { now, reason, updatedBy }));
  }
  // Its pieces are in the workspace now. Facts about them belong to other users.
  await dropTierIndex({ memoryWatchers: [] }, tables, owner, { namespace: tierNamespace, path }, now);
  const copied = new Set(quarantined.map(({ id }) => id));
  for (const text of present.quarantined.filter(({ id }) => copied.has(id))) {
    tables.quarantine.delete(text.id);
    mutations.push(quarantineMutation(text, null));
  }
  return mutations;
}

function quarantineMutation({ id }: QuarantinedText, hash: string | null): Mutation {
  return { target: `quarantine/${id}`, preEtag: null, postEtag: null, contentHash: hash };
}
