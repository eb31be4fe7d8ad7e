import { expect, it } from 'vitest';
import { forgetOldChanges } from '../src/engine/changes/forget-old-changes.js';
import { putWorkingValue } from '../src/engine/state/working-values.js';
import { describeEachDatabase, describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { type TestServer, useServer } from './support/server.js';

interface Change {
  cursor: string;
  at: string;
  operation: string;
  kind: string;
  id: string;
}

async function page(server: TestServer, token: string, query = ''): Promise<{ changes: Change[]; next: string }> {
  const { status, body } = await server.call({ path: `/v1/changes${query}`, token });
  expect(status).toBe(200);
  return { changes: body.changes, next: body.next_cursor };
}

async function remember(server: TestServer, token: string, body: object): Promise<string> {
  const answer = await server.call({ method: 'POST', path: '/v1/remember', body, token });
  expect(answer.status).toBe(201);
  return answer.body.memory.id;
}

const shown = (changes: readonly Change[]) => changes.map(({ operation, kind, id }) => [operation, kind, id]);

describeEachDatabase('GET /v1/changes', (database) => {
  const server = useServer(database);

  it('lists what changed, oldest first, with a cursor after each change', async () => {
    const token = await server().token({ user: 'ann' });
    const id = await remember(server(), token, { content: 'The heron came back.' });
    const put = { subject: 'me', attribute: 'likes', value: 'tea' };
    const { fact } = (await server().call({ method: 'PUT', path: '/v1/facts', body: put, token })).body;
    await server().call({ method: 'DELETE', path: `/v1/memories/${id}`, token });
    const all = await page(server(), token);
    expect(shown(all.changes)).toEqual([
      ['memory.remember', 'note', id],
      ['facts.put', 'fact', fact.id],
      ['memory.forget', 'note', id],
    ]);
    expect(shown((await page(server(), token, `?after=${all.changes[0]?.cursor}`)).changes)).toEqual(
      shown(all.changes).slice(1),
    );
    expect((await page(server(), token, `?after=${all.next}`)).changes).toEqual([]);
  });

  it('pages through everything once', async () => {
    const token = await server().token({ user: 'pages' });
    const body = { memories: Array.from({ length: 25 }, (_, number) => ({ content: `Heron ${number}.` })) };
    await server().call({ method: 'POST', path: '/v1/remember', body, token });
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { changes, next } = await page(server(), token, `?limit=10${after}`);
      seen.push(...changes.map(({ id }) => id));
      after = `&after=${next}`;
      if (changes.length === 0) break;
    }
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
  });

  it('begins now if asked to', async () => {
    const token = await server().token({ user: 'later' });
    await remember(server(), token, { content: 'Before.' });
    const { changes, next } = await page(server(), token, '?after=now');
    expect(changes).toEqual([]);
    const id = await remember(server(), token, { content: 'After.' });
    expect(shown((await page(server(), token, `?after=${next}`)).changes)).toEqual([['memory.remember', 'note', id]]);
  });

  it('misses nothing that several people write into one namespace at the same time', async () => {
    const tokens = await Promise.all(
      ['u1', 'u2', 'u3', 'u4'].map((user) => server().token({ user, claims: { team_id: 'herons' } })),
    );
    const reader = tokens[0] ?? '';
    let { next } = await page(server(), reader, '?after=now');
    const seen: string[] = [];
    const read = async () => {
      const found = await page(server(), reader, `?limit=500&after=${next}`);
      seen.push(...found.changes.filter(({ kind }) => kind === 'note').map(({ id }) => id));
      next = found.next;
    };
    let writing = true;
    const wrote = Promise.all(
      tokens.map(async (token, writer) => {
        const ids: string[] = [];
        for (let number = 0; number < 10; number++) {
          const content = `Heron ${writer} ${number}.`;
          ids.push(await remember(server(), token, { content, namespace: 'team:herons' }));
        }
        return ids;
      }),
    ).finally(() => {
      writing = false;
    });
    while (writing) await read();
    const written = (await wrote).flat();
    await read();
    expect(seen.toSorted()).toEqual(written.toSorted());
  });

  it('tells those who share a namespace what a forgotten person wrote there, and nothing of the person', async () => {
    const claims = { team_id: 'rooks' };
    const [gone, stays] = await Promise.all(['gone', 'stays'].map((user) => server().token({ user, claims })));
    const { next } = await page(server(), stays ?? '', '?after=now');
    const shared = await remember(server(), gone ?? '', { content: 'A rook.', namespace: 'team:rooks' });
    const admin = await server().token({ user: 'boss', roles: ['admin'] });
    await server().call({ method: 'DELETE', path: '/v1/tenants/t1/users/gone/memory', token: admin });
    const { changes } = await page(server(), stays ?? '', `?after=${next}`);
    expect(shown(changes)).toEqual([['users.forget', 'note', shared]]);
    expect((await page(server(), gone ?? '')).changes.map(({ operation }) => operation)).toEqual(['users.forget']);
  });
});

describeOneDatabase('the cursor of changes', (database) => {
  const server = useServer(database);

  it('is refused if it was not issued here, and if it is too old', async () => {
    const token = await server().token({});
    for (const after of ['nonsense', 'bnVsbA', encode([1, 2]), encode([new Date(), [['u:u1', '1e9']]])]) {
      const path = `/v1/changes?after=${after}`;
      expectProblem(await server().call({ path, token }), 'INVALID_REQUEST');
      expectProblem(await server().call({ path, token, headers: { accept: 'text/event-stream' } }), 'INVALID_REQUEST');
    }
    const old = encode([new Date(Date.now() - 31 * 86_400_000), []]);
    expectProblem(await server().call({ path: `/v1/changes?after=${old}`, token }), 'CURSOR_EXPIRED');
  });

  it('opens nothing that the caller may not read', async () => {
    const owner = await server().token({ user: 'owner' });
    await remember(server(), owner, { content: 'Private.' });
    const forged = encode([
      new Date(),
      [
        ['u:owner', '0'],
        ['n:team:x', '0'],
      ],
    ]);
    const token = await server().token({ user: 'thief' });
    expect((await page(server(), token, `?after=${forged}`)).changes).toEqual([]);
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describeOneDatabase('changes as a stream', (database) => {
  const server = useServer(database);

  /** Opens a stream and returns its events one by one; undefined when it ends. */
  async function follow(token: string, query = '', headers: Record<string, string> = {}) {
    const response = await fetch(`${server().url}/v1/changes${query}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const decoder = new TextDecoder();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const next = async (): Promise<Change | undefined> => {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end < 0) {
          const { done, value } = await reader.read();
          if (done) return undefined;
          text += decoder.decode(value, { stream: true });
          continue;
        }
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const data = lines.find((line) => line.startsWith('data: '));
        if (data !== undefined) return JSON.parse(data.slice(6));
      }
    };
    return { next, close: () => reader.cancel() };
  }

  it('arrive as they happen, and continue after the last event that was received', async () => {
    const token = await server().token({ user: 'live' });
    await remember(server(), token, { content: 'Before.' });
    const stream = await follow(token);
    const first = await remember(server(), token, { content: 'First.' });
    const received = await stream.next();
    expect(received).toMatchObject({ operation: 'memory.remember', kind: 'note', id: first });
    await stream.close();
    const second = await remember(server(), token, { content: 'Second.' });
    const again = await follow(token, '', { 'last-event-id': received?.cursor ?? '' });
    expect((await again.next())?.id).toBe(second);
    await again.close();
  });

  it('end when the token expires, or is revoked', async () => {
    const short = await follow(await server().token({ user: 'short', ttlSeconds: 2 }));
    expect(await short.next()).toBeUndefined();
    const token = await server().token({ user: 'revoked' });
    const stream = await follow(token);
    const admin = await server().token({ roles: ['admin'] });
    const body = { user_id: 'revoked' };
    const revoked = await server().call({
      method: 'POST',
      path: '/v1/tenants/t1/token-revocations',
      body,
      token: admin,
    });
    expect(revoked.status).toBe(200);
    expect(await stream.next()).toBeUndefined();
  });

  it('are limited for each user', async () => {
    const token = await server().token({ user: 'many' });
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(token)));
    const more = { path: '/v1/changes', token, headers: { accept: 'text/event-stream' } };
    expectProblem(await server().call(more), 'QUOTA_EXCEEDED');
    expect((await server().call({ path: '/v1/changes', token })).status).toBe(200);
    await Promise.all(streams.map(({ close }) => close()));
  });
});

describeOneDatabase('old changes', (database) => {
  const running = useEngine(database);
  const after = (days: number) => {
    const at = new Date(Date.now() + days * 86_400_000);
    return { ...running().engine, clock: { now: () => at } };
  };

  it('are removed after 30 days', async () => {
    const caller = callerOf('u1');
    const count = () =>
      running().engine.store.read(
        caller,
        async (tables) => (await tables.changes.after(new Map([['u:u1', 0n]]), 10)).length,
      );
    const precondition = { kind: 'none' } as const;
    await putWorkingValue(running().engine, caller, {
      planId: 'p',
      key: 'k',
      value: 1,
      ttlSeconds: undefined,
      precondition,
    });
    await forgetOldChanges(after(29), 't1');
    expect(await count()).toBe(1);
    await forgetOldChanges(after(31), 't1');
    expect(await count()).toBe(0);
  });
});
