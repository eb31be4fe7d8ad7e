import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../src/composition/start-engine.js';
import { getReplay, replayConversation } from '../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeEachDatabase, describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { pastEverything } from './support/past-everything.js';
import { startTestServer, type TestServer } from './support/server.js';

const newKey = () => randomBytes(32).toString('base64');

async function withServer<T>(start: () => Promise<TestServer>, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await start();
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

function snapshot(server: TestServer, replay = true) {
  return server.call({
    method: 'POST',
    path: '/v1/tenants/t1/users/u1/conversations/c/snapshots',
    body: {
      messages: [{ id: 'm', role: 'user', content: 'My name is Dana.' }],
      profile_id: 'project-copilot-v1',
      replay,
    },
  });
}

async function settled(server: TestServer, replayId: string): Promise<{ status: string; error: string | null }> {
  for (;;) {
    const { body } = await server.call({ path: `/v1/tenants/t1/users/u1/replays/${replayId}` });
    if (body.status === 'completed' || body.status === 'failed') return body;
    await new Promise((done) => setTimeout(done, 50));
  }
}

describeOneDatabase('a server that encrypts snapshots', (database) => {
  const masterKey = newKey();
  const start = (settings: Record<string, string> = { masterKey }) =>
    startTestServer(database(), { jobs: 'true', ...settings });

  it('refuses to start with another master key, and names the setting but no key', async () => {
    await withServer(start, (server) => snapshot(server));
    const other = newKey();
    const failure = await start({ masterKey: other }).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(Error);
    const { message } = failure as Error;
    expect(message).toMatch(/^The keys of 1 tenant\(s\) are encrypted with a master key other than MEMHALL_MASTER_KEY/);
    expect(message).not.toContain(other);
  });

  it.each(['short', 'not base64!', `${newKey()}${newKey()}`])('rejects the master key %j', async (key) => {
    await expect(start({ masterKey: key })).rejects.toThrow(/^MEMHALL_MASTER_KEY must be 32 bytes in base64/);
  });

  it('rotates to a new master key without touching a snapshot', { timeout: 120_000 }, async () => {
    const next = newKey();
    const read = () => pastEverything(database(), `SELECT body::text FROM memhall.artifacts WHERE kind = 'snapshot'`);
    const before = await withServer(start, async (server) => {
      await snapshot(server);
      return read();
    });
    const environment = { MEMHALL_MASTER_KEY: next, MEMHALL_MASTER_KEY_PREVIOUS: masterKey };
    const run = await runCommand(['keys', 'rotate', ...flagsOf(database())], environment);
    expect(run).toMatchObject({ code: 0, stdout: 'Rotation complete: tenants=1 keys=1\n' });
    const again = await runCommand(['keys', 'rotate', ...flagsOf(database())], environment);
    expect(again.stdout).toBe('Rotation complete: tenants=1 keys=0\n');
    await expect(start()).rejects.toThrow(
      /^The keys of \d+ tenant\(s\) are encrypted with a master key other than MEMHALL_MASTER_KEY/,
    );
    await withServer(
      () => start({ masterKey: next }),
      async (server) => {
        expect(await read()).toEqual(before);
        const { body } = await snapshot(server);
        expect(await settled(server, body.replay_id)).toMatchObject({ status: 'completed' });
      },
    );
    const back = { MEMHALL_MASTER_KEY: masterKey, MEMHALL_MASTER_KEY_PREVIOUS: next };
    expect((await runCommand(['keys', 'rotate', ...flagsOf(database())], back)).code).toBe(0);
  });

  describe('a snapshot', () => {
    it.each([
      ['altered', `jsonb_set(body::jsonb, '{ciphertext}', to_jsonb('AAAA' || substr(body ->> 'ciphertext', 5)))::json`],
      ['cut off', `jsonb_set(body::jsonb, '{ciphertext}', to_jsonb(left(body ->> 'ciphertext', 20)))::json`],
      ['given another tag', `jsonb_set(body::jsonb, '{tag}', '"AAAAAAAAAAAAAAAAAAAAAA=="')::json`],
    ])('that was %s is not read, and the replay reports why', async (_, change) => {
      const { engine, close } = await startEngine(database().config({ masterKey }), pino({ level: 'silent' }));
      try {
        const caller = callerOf(`u-${randomUUID()}`);
        const messages = [{ id: 'm', role: 'user' as const, content: 'My name is Dana.' }];
        const input = { conversationId: 'c', profileId: 'project-copilot-v1', messages };
        const quiet = { ...engine, onReplayQueued: () => undefined };
        const { snapshotId, replayId } = await takeSnapshot(quiet, caller, { ...input, replay: true });
        await pastEverything(database(), `UPDATE memhall.artifacts SET body = ${change} WHERE name = '${snapshotId}'`);
        await replayConversation(engine, { ...caller, replayId: replayId ?? '' });
        const replay = await getReplay(engine, caller, replayId ?? '');
        expect(replay).toMatchObject({ status: 'failed', error: 'The snapshot cannot be read: it was altered.' });
      } finally {
        await close();
      }
    });

    it('of a tenant whose key was destroyed is not read', async () => {
      const { engine, close } = await startEngine(database().config({ masterKey }), pino({ level: 'silent' }));
      try {
        const caller = callerOf('u1', 't-shredded');
        const messages = [{ id: 'm', role: 'user' as const, content: 'My name is Dana.' }];
        const input = { conversationId: 'c', profileId: 'project-copilot-v1', messages, replay: true };
        const { replayId } = await takeSnapshot({ ...engine, onReplayQueued: () => undefined }, caller, input);
        await pastEverything(database(), `DELETE FROM memhall.tenant_keys WHERE tenant_id = 't-shredded'`);
        await replayConversation(engine, { ...caller, replayId: replayId ?? '' });
        const replay = await getReplay(engine, caller, replayId ?? '');
        expect(replay?.error).toBe("The snapshot cannot be read: the tenant's key was destroyed.");
      } finally {
        await close();
      }
    });
  });
});

describeEachDatabase('a server without a configured master key', (database) => {
  const start = (settings: Record<string, string> = {}) => startTestServer(database(), { jobs: 'true', ...settings });

  it('creates a key in the data directory and can rotate it, or names the setting that it needs', {
    timeout: 120_000,
  }, async () => {
    if (database().kind === 'postgres') {
      await withServer(
        () => start({ masterKey: newKey() }),
        (server) => snapshot(server),
      );
      await expect(start()).rejects.toThrow(
        /^The keys of \d+ tenant\(s\) are encrypted with a master key other than MEMHALL_MASTER_KEY/,
      );
      return;
    }
    await withServer(start, (server) => snapshot(server));
    const file = join(database().config({}).dataDirectory, 'master-key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    expect((await runCommand(['keys', 'rotate', ...flagsOf(database())])).stdout).toBe(
      'Rotation complete: tenants=1 keys=1\n',
    );
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    await withServer(start, async (server) => {
      const { body } = await snapshot(server);
      expect(await settled(server, body.replay_id)).toMatchObject({ status: 'completed' });
    });
  });
});
