import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BlobServiceClient } from '@azure/storage-blob';
import { StartUpError } from '@memhall/core';
import { afterEach, describe, expect, it } from 'vitest';
import { openAzureBlob } from '../src/providers/artifact-stores/open-azure-blob.js';
import { newContainer, useAzurite } from './support/azurite.js';
import { collectAll } from './support/collect-all.js';
import { TcpRelay } from './support/tcp-relay.js';

const owner = { tenantId: 't1', userId: 'u1' };
const key = { kind: 'document', folder: 'memory', name: 'user.json' } as const;
const moment = new Date('2026-11-15T20:00:00.123Z');
const factsOf = (version: number) => ({
  version,
  etag: `e${version}`,
  sizeChars: 7,
  occurredAt: moment,
  createdAt: moment,
  updatedAt: moment,
});
const content = (text: string, version?: number) => ({
  text,
  facts: version === undefined ? null : factsOf(version),
});

describe('Azure Blob Storage as an artifact store', () => {
  const azurite = useAzurite();
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  function open(options: { container?: string; pageSize?: number; port?: number } = {}) {
    const { container = newContainer(), port, pageSize = 5000 } = options;
    return openAzureBlob({
      account: { connectionString: azurite().connectionString(port) },
      container,
      pageSize,
    });
  }

  function rawContainer(name: string) {
    return BlobServiceClient.fromConnectionString(azurite().connectionString()).getContainerClient(name);
  }

  it('returns "unchanged" for the current tag and the new state for an old tag', async () => {
    const store = await open();
    const first = await store.put(owner, key, content('{"n":1}', 1));
    expect(await store.get(owner, key, first)).toBe('unchanged');
    const second = await store.put(owner, key, content('{"n":2}', 2));
    expect(second).not.toBe(first);
    expect(await store.get(owner, key, first)).toEqual({ text: '{"n":2}', facts: factsOf(2), tag: second });
    await store.delete(owner, key);
    expect(await store.get(owner, key, second)).toBeUndefined();
  });

  it('writes and deletes only if the condition on the current state holds', async () => {
    const store = await open();
    await expect(store.put(owner, key, content('{}'), { tag: '"0x1"' })).rejects.toMatchObject({
      code: 'ETAG_MISMATCH',
    });
    const tag = await store.put(owner, key, content('{"n":1}'), 'absent');
    await expect(store.put(owner, key, content('{}'), 'absent')).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    const next = await store.put(owner, key, content('{"n":2}'), { tag });
    await expect(store.put(owner, key, content('{}'), { tag })).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    await expect(store.delete(owner, key, { tag })).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
    expect((await store.get(owner, key))?.text).toBe('{"n":2}');
    await store.delete(owner, key, { tag: next });
    await store.delete(owner, key, { tag: next });
    expect(await store.get(owner, key)).toBeUndefined();
  });

  it('lets exactly one of many concurrent writers succeed', async () => {
    const store = await open();
    const tag = await store.put(owner, key, content('{}'));
    for (const condition of ['absent', { tag }] as const) {
      const fresh = condition === 'absent' ? { ...key, name: 'new.json' } : key;
      const tries = Array.from({ length: 8 }, (_, n) => store.put(owner, fresh, content(`{"n":${n}}`), condition));
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('lists more than one page, with the tag of each artifact', async () => {
    const store = await open({ pageSize: 3 });
    const tags = new Map<string, string>();
    for (let n = 0; n < 10; n++) {
      tags.set(
        `evt_${n}`,
        await store.put(owner, { kind: 'event', folder: '', name: `evt_${n}` }, content('{}', n + 1)),
      );
    }
    const found = await collectAll(store.list(owner, 'event'));
    expect(found).toEqual([...tags].map(([name, tag]) => ({ folder: '', name, tag })));
  });

  it('finds all tenants and users across pages', async () => {
    const store = await open({ pageSize: 2 });
    const users = ['..', 'a', 'b@c.d', 'u:1', 'z.'];
    for (const tenantId of ['t1', 't2', '.']) {
      for (const userId of users) await store.put({ tenantId, userId }, key, content('{}'));
    }
    expect((await collectAll(store.tenants())).sort()).toEqual(['.', 't1', 't2']);
    expect((await collectAll(store.users('.'))).sort()).toEqual(users);
    expect(await collectAll(store.users('t3'))).toEqual([]);
  });

  it('stores JSON under the documented names', async () => {
    const container = newContainer();
    const store = await open({ container });
    await store.put(owner, { ...key, name: 'projects/日記.json' }, content('{"b":1,"a":2}', 7));
    const blob = rawContainer(container).getBlobClient('tenants/t1/users/u1/documents/memory/projects/日記.json');
    expect((await blob.downloadToBuffer()).toString()).toBe('{"b":1,"a":2}');
    const { contentType, metadata } = await blob.getProperties();
    expect(contentType).toBe('application/json');
    expect(metadata).toMatchObject({ version: '7', etag: 'e7' });
  });

  it('ignores blobs that it did not write', async () => {
    const container = newContainer();
    const store = await open({ container });
    await store.put(owner, { kind: 'event', folder: '', name: 'evt_1' }, content('{}', 1));
    for (const name of ['readme.txt', 'tenants/t1/users/u1/events/note.txt', 'tenants/t1/users/u1/events/~x.json']) {
      await rawContainer(container).getBlockBlobClient(name).upload('x', 1);
    }
    expect((await collectAll(store.list(owner, 'event'))).map(({ name }) => name)).toEqual(['evt_1']);
    expect(await collectAll(store.tenants())).toEqual(['t1']);
  });

  it('detects manual edits, even if the metadata was kept', async () => {
    const container = newContainer();
    const store = await open({ container });
    await store.put(owner, key, content('{"n":1}', 1));
    const blob = rawContainer(container).getBlockBlobClient('tenants/t1/users/u1/documents/memory/user.json');
    const { metadata = {} } = await blob.getProperties();
    await blob.upload('{"n":2}', 7, { metadata });
    expect(await store.get(owner, key)).toMatchObject({ text: '{"n":2}', facts: null });
    await blob.upload('{"n":1}', 7, { metadata: { ...metadata, version: 'x' } });
    expect(await store.get(owner, key)).toMatchObject({ text: '{"n":1}', facts: null });
  });

  it('has a stable identity that differs between containers', async () => {
    const container = newContainer();
    const [one, again] = [await open({ container }), await open({ container })];
    const ids = await Promise.all([one.identity(), again.identity(), one.identity()]);
    expect(new Set(ids).size).toBe(1);
    expect(await (await open()).identity()).not.toBe(ids[0]);
  });

  it('recognises its own write when the response was lost and the SDK retried', async () => {
    const losing = await startLosingProxy(azurite().port);
    closers.push(() => losing.server.close());
    const store = await open({ port: losing.port });
    for (const condition of ['absent', undefined] as const) {
      const before = losing.lost;
      losing.loseNextAnswer();
      const tag = await store.put(owner, key, content('{"n":1}', 1), condition);
      expect(losing.lost).toBe(before + 1);
      expect(await store.get(owner, key, tag)).toBe('unchanged');
    }
  });

  it('serves a file only once it is complete, but lists it as soon as it is staged', async () => {
    const store = await open();
    const names = async () => (await collectAll(store.list(owner, 'file'))).map(({ name }) => name);
    const staged = await store.stageFile(owner, 'r_1', pieces('one ', 'two'));
    expect(await store.openFile(owner, 'r_1', 4)).toBeUndefined();
    expect(await names()).toEqual(['r_1']);
    await staged.keep();
    await staged.keep();
    expect((await collectAll((await store.openFile(owner, 'r_1', 4)) ?? pieces())).map(String)).toEqual([
      'one ',
      'two',
    ]);
    await store.stageFile(owner, 'r_2', pieces('ahead'));
    for (const name of await names()) await store.delete(owner, { kind: 'file', folder: '', name });
    expect(await names()).toEqual([]);
    await store.delete(owner, { kind: 'file', folder: '', name: 'r_1' });
    expect(await names()).toEqual([]);
  });

  it('ends with CONFLICT if a file is deleted while it is being read', async () => {
    const store = await open();
    await (await store.stageFile(owner, 'r_1', pieces('one ', 'two'))).keep();
    const reading = (await store.openFile(owner, 'r_1', 4)) ?? pieces();
    const iterator = reading[Symbol.asyncIterator]();
    expect(String((await iterator.next()).value)).toBe('one ');
    await store.delete(owner, { kind: 'file', folder: '', name: 'r_1' });
    await expect(iterator.next()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('treats a file as kept when the response was lost and the SDK retried', async () => {
    const losing = await startLosingProxy(azurite().port);
    closers.push(() => losing.server.close());
    const store = await open({ port: losing.port });
    losing.loseNextAnswer();
    const staged = await store.stageFile(owner, 'r_1', pieces('one ', 'two'));
    losing.loseNextAnswer();
    await staged.keep();
    expect(losing.lost).toBe(2);
    expect((await collectAll((await store.openFile(owner, 'r_1', 99)) ?? pieces())).map(String)).toEqual(['one two']);
  });

  it('throws UNAVAILABLE while the service is unreachable, and recovers', async () => {
    const relay = new TcpRelay({ host: '127.0.0.1', port: azurite().port });
    closers.push(() => relay.stop());
    const store = await open({ port: await relay.start() });
    await store.put(owner, key, content('{}'));
    relay.cut();
    const unavailable = expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
    await expect(store.get(owner, key)).rejects.toEqual(unavailable);
    await expect(store.put(owner, key, content('{}'))).rejects.toEqual(unavailable);
    await expect(store.delete(owner, key)).rejects.toEqual(unavailable);
    await expect(store.stageFile(owner, 'r_1', pieces('x'))).rejects.toEqual(unavailable);
    await expect(store.openFile(owner, 'r_1', 4)).rejects.toEqual(unavailable);
    await expect(collectAll(store.list(owner, 'document'))).rejects.toEqual(unavailable);
    await expect(collectAll(store.tenants())).rejects.toEqual(unavailable);
    relay.mend();
    expect((await store.get(owner, key))?.text).toBe('{}');
  });

  it('throws UNAVAILABLE rather than reporting a missing artifact if the container is gone', async () => {
    const container = newContainer();
    const store = await open({ container });
    await rawContainer(container).delete();
    await expect(store.get(owner, key)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(store.delete(owner, key)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(collectAll(store.list(owner, 'document'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('reports at startup which setting is wrong', async () => {
    const container = newContainer();
    const start = (connectionString: string) => openAzureBlob({ account: { connectionString }, container });
    await expect(start('nonsense')).rejects.toThrow(/^MEMHALL_AZURE_STORAGE_CONNECTION_STRING is not/);
    const wrongKey = azurite()
      .connectionString()
      .replace(/AccountKey=[^;]+/, 'AccountKey=d3Jvbmc=');
    const refused = await start(wrongKey).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartUpError);
    expect(String(refused)).toMatch(/denies access to the container.+MEMHALL_AZURE_STORAGE_CONNECTION_STRING/);
    const nobody = await start(azurite().connectionString(1)).catch((error: unknown) => error);
    expect(nobody).toBeInstanceOf(StartUpError);
    expect(String(nobody)).toMatch(/cannot be used.+MEMHALL_AZURE_CONTAINER/);
  });

  it('works with a shared access signature that cannot create containers', async () => {
    const name = newContainer();
    await open({ container: name });
    const { ContainerSASPermissions } = await import('@azure/storage-blob');
    const permissions = ContainerSASPermissions.parse('rwdl');
    const url = new URL(
      await rawContainer(name).generateSasUrl({ permissions, expiresOn: new Date(Date.now() + 600_000) }),
    );
    const endpoint = `${url.origin}/${url.pathname.split('/')[1]}`;
    const connectionString = `BlobEndpoint=${endpoint};SharedAccessSignature=${url.search.slice(1)}`;
    const store = await openAzureBlob({ account: { connectionString }, container: name });
    await store.put(owner, key, content('{"by":"signature"}'));
    expect((await store.get(owner, key))?.text).toBe('{"by":"signature"}');
  });
});

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

/** Forwards requests. After `loseNextAnswer`, forwards the next PUT and drops the connection instead of responding. */
async function startLosingProxy(targetPort: number): Promise<{
  server: Server;
  port: number;
  readonly lost: number;
  loseNextAnswer(): void;
}> {
  let lost = 0;
  let losing = false;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url: path } = incoming;
    const onward = request({ host: '127.0.0.1', port: targetPort, method, headers, path }, (answer) => {
      if (losing && method === 'PUT') {
        losing = false;
        lost++;
        answer.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    server,
    port: (server.address() as AddressInfo).port,
    get lost() {
      return lost;
    },
    loseNextAnswer: () => {
      losing = true;
    },
  };
}
