import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { signToken } from '../src/cli/sign-token.js';
import { tokenSecret } from '../src/composition/token-verifier.js';
import { flagsOf, program, runCommand, type ServerProcess, spawnServer } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { documentPath } from './support/documents.js';
import { pastEverything } from './support/past-everything.js';
import { send } from './support/server.js';

const rounds = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 20;
const usersOfRound = 8;
const documentsOfRound = 24;
const profile = { profile_id: 'project-copilot-v1' };

describeOneDatabase('a killed process', (database) => {
  const flags = () => [...flagsOf(database()), '--log-level', 'silent', '--embedder', 'none'];
  const start = (...more: string[]) => spawnServer([...flags(), ...more]);

  async function tokenOf(user: string): Promise<string> {
    const secret = (await tokenSecret(database().config())) ?? '';
    return signToken(secret, { tenant: 't1', user, roles: ['service'], ttlSeconds: 3600 });
  }

  async function stop({ child, ended }: ServerProcess): Promise<void> {
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  }

  async function verify(documents: number): Promise<void> {
    const verified = await runCommand(['audit', 'verify', ...flagsOf(database())]);
    expect(verified.stdout).toMatch(/faults=0\n/);
    const rebuilt = await runCommand(['audit', 'rebuild', '--tenant', 't1', ...flagsOf(database())]);
    expect(rebuilt.stdout).toMatch(new RegExp(`documents=${documents} differing=0\n$`));
  }

  /** Counts the events of each user that came from the given source. */
  function countEvents(source: string) {
    return pastEverything<{ user_id: string; events: number }>(
      database(),
      `SELECT user_id, count(*)::int AS events FROM memhall.artifacts
       WHERE kind = 'event' AND body ->> 'source_type' = '${source}' GROUP BY user_id`,
    );
  }

  /** Ages the leases of a dead process, and the replays that were accepted but never queued, until they expire. */
  async function letTimePass(): Promise<void> {
    for (const statement of [
      `UPDATE memhall_queue.job SET started_on = started_on - interval '30 seconds' WHERE state = 'active'`,
      `UPDATE memhall.replays SET updated_at = updated_at - interval '20 seconds' WHERE status IN ('queued', 'running')`,
    ]) {
      await pastEverything(database(), statement);
    }
  }

  it(
    `leaves unfinished replays to the next process, ${rounds} times in a row`,
    async () => {
      const replays: { user: string; path: string; token: string }[] = [];
      for (let round = 0; round < rounds; round++) {
        const doomed = await start();
        for (let index = 0; index < usersOfRound; index++) {
          const user = `replayed-${round}-${index}`;
          const token = await tokenOf(user);
          const content = `I prefer tea number ${round} over coffee. Remember that my desk is on floor ${index + 2}.`;
          const body = { ...profile, messages: [{ id: 'm1', role: 'user', content }] };
          const path = `/v1/tenants/t1/users/${user}`;
          const answer = await send(doomed.url, {
            ...{ method: 'POST', path: `${path}/conversations/c1/snapshots`, body, token },
          });
          expect(answer.status).toBe(202);
          replays.push({ user, token, path: `${path}/replays/${answer.body.replay_id}` });
        }
        await sleep(Math.random() * 300);
        doomed.child.kill('SIGKILL');
        await doomed.ended;
      }
      await letTimePass();
      const survivor = await start();
      const swept = await runCommand(['jobs', 'run', 'sweep-replays', '--tenant', 't1', ...flags()]);
      expect(swept).toMatchObject({ code: 0, stderr: '' });
      for (const { user, path, token } of replays) {
        for (;;) {
          const { body } = await send(survivor.url, { path, token });
          expect(body.status).not.toBe('failed');
          if (body.status === 'completed') break;
          await sleep(100);
        }
        const { body } = await send(survivor.url, { path: documentPath(user, ['user', 'user_dynamic.json']), token });
        const { preferences, durable_facts: facts } = body.document.content;
        expect(preferences).toHaveLength(1);
        expect(facts).toHaveLength(1);
      }
      const events = await countEvents('conversation');
      expect(events).toHaveLength(replays.length);
      expect(new Set(events.map(({ events: count }) => count))).toEqual(new Set([1]));
      await stop(survivor);
      await verify(replays.length);
    },
    120_000 + rounds * 30_000,
  );

  function compactedDocuments() {
    return pastEverything<{ version: string; notes: number; events: number }>(
      database(),
      `SELECT version, json_array_length(body #> '{content,recent_notes}') AS notes,
         (SELECT count(*)::int FROM memhall.artifacts AS e
          WHERE e.tenant_id = d.tenant_id AND e.user_id = d.user_id AND e.kind = 'event') AS events
       FROM memhall.artifacts AS d WHERE kind = 'document' AND user_id LIKE 'compacted-%'`,
    );
  }
  const countTidy = async () => (await compactedDocuments()).filter(({ version }) => version === '2').length;

  /** Kills the job and the running server once the job has started. Returns whether the job was interrupted midway. */
  async function interruptCompaction(server: ServerProcess): Promise<boolean> {
    const before = await countTidy();
    const job = spawn(process.execPath, [program, 'jobs', 'run', 'compact', '--tenant', 't1', ...flags()]);
    let isOver = false;
    const ended = new Promise<void>((done) => job.once('close', () => done())).then(() => {
      isOver = true;
    });
    while (!isOver && (await countTidy()) === before) await sleep(Math.random() * 20);
    server.child.kill('SIGKILL');
    job.kill('SIGKILL');
    await Promise.all([server.ended, ended]);
    const states = await compactedDocuments();
    for (const { version, notes, events } of states) {
      expect([version, notes, events]).toEqual(notes === 24 ? ['2', 24, 6] : ['1', 30, 0]);
    }
    const tidy = states.filter(({ version }) => version === '2').length;
    return tidy > before && tidy < states.length;
  }

  it(
    `leaves every document unchanged or fully compacted, ${rounds} times in a row`,
    async () => {
      const notes = Array.from({ length: 30 }, (_, index) => `Note number ${index} about the harbour.`);
      let killed = 0;
      let users = 0;
      const known = (await pastEverything(database(), `SELECT FROM memhall.artifacts WHERE kind = 'document'`)).length;
      while (killed < rounds) {
        const server = await start('--no-jobs');
        const first = users;
        for (; users < first + documentsOfRound; users++) {
          const user = `compacted-${users}`;
          const ops = [{ op: 'add', path: '/content/recent_notes', value: notes }];
          const answer = await send(server.url, {
            method: 'PATCH',
            path: documentPath(user, ['projects', 'alpha.json']),
            headers: { 'if-match': '*', 'idempotency-key': user },
            body: {
              ...profile,
              binding_id: 'project_doc',
              reason: 'live_update',
              evidence: { message_ids: ['m'] },
              ops,
            },
            token: await tokenOf(user),
          });
          expect([answer.status, answer.body.error]).toEqual([200, undefined]);
        }
        if (await interruptCompaction(server)) killed += 1;
      }
      const finished = await runCommand(['jobs', 'run', 'compact', '--tenant', 't1', ...flags()]);
      expect(finished).toMatchObject({ code: 0, stderr: '' });
      const events = await countEvents('compaction');
      expect(events).toHaveLength(users);
      expect(new Set(events.map(({ events: count }) => count))).toEqual(new Set([6]));
      await verify(known + users);
    },
    120_000 + rounds * 30_000,
  );
});
