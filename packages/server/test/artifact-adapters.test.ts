import type { Json } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import type { ArtifactOwner, ArtifactStore } from '../src/ports/artifact-store.js';
import { type Artifact, type ArtifactKey, type ArtifactKind, assembleArtifact } from '../src/ports/artifacts.js';
import { openAzureBlob } from '../src/providers/artifact-stores/open-azure-blob.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { collectAll } from './support/collect-all.js';
import { describeEachDatabase } from './support/databases.js';
import { useEngine } from './support/engine.js';

type Kept = ArtifactKey & Pick<Artifact, 'version' | 'etag'> & { body: Json };

/** The operations that both artifact stores support. */
interface Keeper {
  put(owner: ArtifactOwner, artifact: Kept): Promise<void>;
  get(owner: ArtifactOwner, key: ArtifactKey): Promise<Kept | undefined>;
  delete(owner: ArtifactOwner, key: ArtifactKey): Promise<void>;
  /** Returns each artifact as `folder|name`. */
  list(owner: ArtifactOwner, kind: ArtifactKind): Promise<string[]>;
}

const now = new Date();
const rest = { sizeChars: 0, occurredAt: now, createdAt: now, updatedAt: now };
const document = { kind: 'document', folder: 'memory', name: 'user.json' } as const;

function state(key: ArtifactKey, version: number, body: Kept['body']): Kept {
  return { ...key, version, etag: `e${version}`, body };
}

function keepsArtifacts(keeper: () => Promise<Keeper>): void {
  let users = 0;
  const newOwner = () => ({ tenantId: 't1', userId: `user-${++users}` });

  it('returns the last stored state and keeps the order of its members', async () => {
    const kept = await keeper();
    const owner = newOwner();
    await kept.put(owner, state(document, 1, { z: 1, a: { y: [1.5, null, true], b: 'é😀\u0001' } }));
    await kept.put(owner, state(document, 2, { zz: 1, 10: 'ten', a: {} }));
    const found = await kept.get(owner, document);
    expect(found).toEqual(state(document, 2, { zz: 1, 10: 'ten', a: {} }));
    expect(JSON.stringify(found?.body)).toBe(JSON.stringify({ zz: 1, 10: 'ten', a: {} }));
  });

  it('returns nothing for an artifact that was never stored or was deleted', async () => {
    const kept = await keeper();
    const owner = newOwner();
    expect(await kept.get(owner, document)).toBeUndefined();
    await kept.put(owner, state(document, 1, {}));
    await kept.delete(owner, document);
    await kept.delete(owner, document);
    expect(await kept.get(owner, document)).toBeUndefined();
    expect(await kept.list(owner, 'document')).toEqual([]);
  });

  it('keeps users, tenants, kinds and folders apart', async () => {
    const kept = await keeper();
    const owner = newOwner();
    await kept.put(owner, state(document, 1, { of: 'this' }));
    for (const other of [newOwner(), { ...owner, tenantId: 't2' }, { ...owner, userId: `${owner.userId}0` }]) {
      expect(await kept.get(other, document)).toBeUndefined();
      expect(await kept.list(other, 'document')).toEqual([]);
    }
    expect(await kept.get(owner, { ...document, folder: 'other' })).toBeUndefined();
    expect(await kept.get(owner, { ...document, kind: 'snapshot' })).toBeUndefined();
    expect(await kept.list(owner, 'event')).toEqual([]);
  });

  it('lists names in any script and names with slashes', async () => {
    const kept = await keeper();
    const owner = newOwner();
    const names = [
      'a.json',
      'projects/alpha.json',
      'projects/ä ö.json',
      '日記/søndag',
      'x?y#z%2F~',
      'a',
      'a/b',
      '.c',
      'd.',
    ];
    for (const name of names) await kept.put(owner, state({ ...document, name }, 1, { name }));
    await kept.put(owner, state({ kind: 'event', folder: '', name: 'evt_1' }, 1, {}));
    expect((await kept.list(owner, 'document')).sort()).toEqual(names.map((name) => `memory|${name}`).sort());
    expect(await kept.list(owner, 'event')).toEqual(['|evt_1']);
    for (const name of names) expect((await kept.get(owner, { ...document, name }))?.body).toEqual({ name });
  });

  it('treats ids that look like paths as plain ids', async () => {
    const kept = await keeper();
    const hostile = [
      { tenantId: '..', userId: '..' },
      { tenantId: '.', userId: '...' },
      { tenantId: 't1', userId: '..' },
    ];
    for (const owner of hostile) await kept.put(owner, state(document, 1, { ...owner }));
    for (const owner of hostile) {
      expect((await kept.get(owner, document))?.body).toEqual(owner);
      expect(await kept.list(owner, 'document')).toEqual(['memory|user.json']);
    }
  });
}

describeEachDatabase('artifacts in the database', (database) => {
  const running = useEngine(database);
  keepsArtifacts(async () => {
    const { store } = running().engine;
    return {
      put: (owner, artifact) =>
        store.write(owner, async (tables) =>
          tables.artifacts.put(assembleArtifact({ ...artifact, ...rest }, artifact.body, null)),
        ),
      get: async (owner, key) => {
        const found = await store.read(owner, (tables) => tables.artifacts.get(key));
        return found && toKept(found);
      },
      delete: (owner, key) => store.write(owner, async (tables) => tables.artifacts.delete(key)),
      list: async (owner, kind) => {
        const found = await store.read(owner, (tables) => tables.artifacts.list(kind, { limit: 100 }));
        return found.map(({ folder, name }) => `${folder}|${name}`);
      },
    };
  });
});

describe('artifacts in Azure Blob Storage', () => {
  const azurite = useAzurite();
  let store: ArtifactStore | undefined;
  keepsArtifacts(async () => {
    store ??= await openAzureBlob({
      account: { connectionString: azurite().connectionString() },
      container: newContainer(),
    });
    const blobs = store;
    return {
      put: async (owner, { body, version, etag, ...key }) => {
        await blobs.put(owner, key, { text: JSON.stringify(body), facts: { version, etag, ...rest } });
      },
      get: async (owner, key) => {
        const found = await blobs.get(owner, key);
        return (
          found && {
            ...key,
            version: found.facts?.version ?? 0,
            etag: found.facts?.etag ?? '',
            body: JSON.parse(found.text),
          }
        );
      },
      delete: async (owner, key) => {
        await blobs.delete(owner, key);
      },
      list: async (owner, kind) =>
        (await collectAll(blobs.list(owner, kind))).map(({ folder, name }) => `${folder}|${name}`),
    };
  });
});

function toKept({ kind, folder, name, version, etag, body }: Artifact): Kept {
  return { kind, folder, name, version, etag, body };
}
