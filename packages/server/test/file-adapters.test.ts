import { createHash, randomBytes } from 'node:crypto';
import { ulid } from '@memhall/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningEngine } from '../src/composition/start-engine.js';
import { mutate } from '../src/engine/audit/mutate.js';
import type { Engine } from '../src/engine/engine.js';
import { forgetResource } from '../src/engine/resources/forget-resource.js';
import { OuterStore } from '../src/outer/outer-store.js';
import { pieceBytes, type StagedResource } from '../src/ports/resource-files.js';
import type { Resource } from '../src/ports/resources.js';
import { useAzurite } from './support/azurite.js';
import { collectAll } from './support/collect-all.js';
import { createTestDatabase, describeEachDatabase, type TestDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { openFile } from './support/outer.js';

const [one, other] = [callerOf('one'), callerOf('other')];

function resourceOf(bytes: Buffer): Resource {
  return {
    ...{ appId: 'default', projectId: 'default', fileName: null, title: null, description: null },
    ...{ mediaType: 'text/plain', status: 'extracted', reason: null, chunks: 0, createdAt: new Date() },
    resourceId: `r_${ulid(Date.now())}`,
    sizeBytes: bytes.length,
    contentHash: createHash('sha256').update(bytes).digest('hex'),
  };
}

async function* piecesOf(bytes: Buffer, sizeBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += sizeBytes) yield bytes.subarray(at, at + sizeBytes);
}

/** The tests are the same whether files are stored as rows or as blobs. */
function keepsFiles(engine: () => Engine): void {
  const send = (resource: Resource, bytes: Buffer, caller = one) =>
    engine().resourceFiles.stage(caller, resource.resourceId, (sizeBytes) => piecesOf(bytes, sizeBytes));

  const add = (resource: Resource, staged: StagedResource, { caller = one, fails = false } = {}) =>
    mutate(engine(), caller, async (tables) => {
      tables.resources.insert(resource);
      await staged.store(tables);
      if (fails) throw new Error('refused');
      return { result: undefined, mutations: [] };
    });

  async function keep(bytes: Buffer, caller = one): Promise<Resource> {
    const resource = resourceOf(bytes);
    await add(resource, await send(resource, bytes, caller), { caller });
    return resource;
  }

  const read = async ({ resourceId }: Resource, caller = one) => {
    const pieces = await openFile(engine(), caller, resourceId);
    return pieces && collectAll(pieces);
  };

  const outside = async () => {
    const { store } = engine();
    return store instanceof OuterStore ? collectAll(store.blobs.list({ tenantId: 't1', userId: 'one' }, 'file')) : [];
  };

  it.each([1, 3000, pieceBytes - 1, pieceBytes, pieceBytes + 1, 2.5 * pieceBytes])(
    'returns %i bytes unchanged, piece by piece',
    async (size) => {
      const bytes = randomBytes(size);
      const pieces = (await read(await keep(bytes))) ?? [];
      expect(pieces).toHaveLength(Math.ceil(size / pieceBytes));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(pieceBytes);
      expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    },
  );

  it('serves nothing of a file before its resource is stored, or if the resource was rejected', async () => {
    const bytes = randomBytes(1.5 * pieceBytes);
    const resource = resourceOf(bytes);
    const staged = await send(resource, bytes);
    expect(await read(resource)).toBeUndefined();
    await expect(add(resource, staged, { fails: true })).rejects.toThrow('refused');
    expect(await read(resource)).toBeUndefined();
    await staged.release();
    expect((await outside()).map(({ name }) => name)).not.toContain(resource.resourceId);
  });

  it('stores nothing of a file whose upload broke off', async () => {
    const resource = resourceOf(Buffer.from('x'));
    async function* breaking(): AsyncGenerator<Buffer> {
      yield randomBytes(1000);
      throw new Error('broken off');
    }
    const sending = engine()
      .resourceFiles.stage(one, resource.resourceId, breaking)
      .then((staged) => add(resource, staged));
    await expect(sending).rejects.toThrow('broken off');
    expect(await read(resource)).toBeUndefined();
    expect((await outside()).map(({ name }) => name)).not.toContain(resource.resourceId);
  });

  it('keeps users and tenants apart', async () => {
    const resource = await keep(randomBytes(100));
    for (const stranger of [other, callerOf('one', 't2'), callerOf('one0')]) {
      expect(await read(resource, stranger)).toBeUndefined();
      expect(await forgetResource(engine(), stranger, resource.resourceId)).toBe(false);
    }
    const theirs = await keep(randomBytes(100), other);
    expect(await read(theirs)).toBeUndefined();
    expect(await read(theirs, other)).toBeDefined();
  });

  it('serves nothing of a removed file, and removes it only once', async () => {
    const [gone, stays] = [await keep(randomBytes(1.5 * pieceBytes)), await keep(randomBytes(10))];
    expect(await forgetResource(engine(), one, gone.resourceId)).toBe(true);
    expect(await forgetResource(engine(), one, gone.resourceId)).toBe(false);
    expect(await read(gone)).toBeUndefined();
    expect((await outside()).map(({ name }) => name)).not.toContain(gone.resourceId);
    expect(await read(stays)).toBeDefined();
  });
}

describeEachDatabase('files in the database', (database) => {
  const running: () => RunningEngine = useEngine(database);
  keepsFiles(() => running().engine);
});

describe('files in Azure Blob Storage', () => {
  const azurite = useAzurite();
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
  });
  afterAll(() => database?.remove());
  const running = useEngine(
    () => database,
    () => azurite().settings(),
  );
  keepsFiles(() => running().engine);
});
