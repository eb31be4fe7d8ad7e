import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { signToken } from '../src/cli/sign-token.js';
import { tokenSecret } from '../src/composition/token-verifier.js';
import { maxDeaths } from '../src/ports/work-queue.js';
import { type ChatInterceptor, FakeChatServer } from '../src/providers/extractors/llm/test-support/fake-chat-server.js';
import { flagsOf, runCommand, type ServerProcess, spawnServer } from './support/command.js';
import { describeEachDatabase, describeOneDatabase } from './support/databases.js';
import { pastEverything } from './support/past-everything.js';
import { send } from './support/server.js';

const series = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 10;
const describeDatabases = series === 1 ? describeOneDatabase : describeEachDatabase;
const patience = { timeout: 60_000, interval: 50 };

describeDatabases('a conversation that ends every process that reads it', (database) => {
  const model = new FakeChatServer();
  const asked: string[] = [];
  let server: ServerProcess | undefined;
  beforeAll(() => model.start());
  afterAll(() => model.stop());
  afterEach(async () => {
    server?.child.kill('SIGKILL');
    await server?.ended;
  });

  const start = async () => {
    server = await spawnServer([...flagsOf(database()), '--log-level', 'silent', '--embedder', 'none'], {
      MEMHALL_EXTRACTOR: 'llm',
      MEMHALL_EXTRACTOR_URL: model.baseUrl,
      MEMHALL_EXTRACTOR_MODEL: 'test-model',
    });
    return server;
  };

  /** Kills the server, and lets the leases of its jobs expire. */
  async function kill({ child, ended }: ServerProcess): Promise<void> {
    child.kill('SIGKILL');
    await ended;
    if (database().kind === 'embedded') return;
    const late = `UPDATE memhall_queue.job SET started_on = started_on - interval '30 seconds' WHERE state = 'active'`;
    await pastEverything(database(), late);
  }

  /** Has the model answer every conversation but the poisonous one, and notes which it was asked about. */
  function answer(): void {
    model.reset();
    asked.length = 0;
    const intercept: ChatInterceptor = ({ body }) => {
      const isPoison = JSON.stringify(body).includes('poison');
      asked.push(isPoison ? 'poison' : 'other');
      return isPoison ? new Promise<boolean>(() => undefined) : false;
    };
    model.interceptNext(...Array.from({ length: 100 }, () => intercept));
  }

  async function converse({ url }: ServerProcess, user: string, content: string) {
    const secret = (await tokenSecret(database().config())) ?? '';
    const token = await signToken(secret, { tenant: 't1', user, roles: ['service'], ttlSeconds: 3600 });
    const body = { profile_id: 'project-copilot-v1', messages: [{ id: 'm1', role: 'user', content }] };
    const path = `/v1/tenants/t1/users/${user}`;
    const taken = await send(url, { method: 'POST', path: `${path}/conversations/c1/snapshots`, body, token });
    expect(taken.status).toBe(202);
    const read = async (by: ServerProcess) =>
      (await send(by.url, { path: `${path}/replays/${taken.body.replay_id}`, token })).body;
    return { read, replayId: taken.body.replay_id as string };
  }

  it.each(Array.from({ length: series }, (_, index) => index + 1))(
    'becomes a dead letter while all others are read (%i)',
    async (round) => {
      answer();
      const others: Awaited<ReturnType<typeof converse>>[] = [];
      let running = await start();
      const poison = await converse(running, `poisoned-${round}`, 'I prefer poison.');
      for (let death = 1; death <= maxDeaths; death++) {
        others.push(await converse(running, `u-${round}-${death}`, `I prefer tea number ${death}.`));
        await expect.poll(() => asked.filter((one) => one === 'poison').length, patience).toBe(death);
        await sleep(series === 1 ? 0 : Math.random() * 300);
        await kill(running);
        running = await start();
      }
      await expect.poll(async () => (await poison.read(running)).status, patience).toBe('failed');
      expect(await poison.read(running)).toMatchObject({
        error: 'The process that read the conversation ended each time before it was done.',
      });
      for (const other of others) {
        await expect.poll(async () => (await other.read(running)).status, patience).toBe('completed');
      }
      expect(asked.filter((one) => one === 'poison')).toHaveLength(maxDeaths);
      const dead = await runCommand([
        'jobs',
        'list',
        '--state',
        'failed',
        '--json',
        '--log-level',
        'silent',
        ...flagsOf(database()),
      ]);
      const letters = dead.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const ours = letters.filter(({ key }) => key === poison.replayId);
      expect(ours).toMatchObject([{ job: 'replay', attempts: maxDeaths, output: { type: 'ProcessDied' } }]);
      expect(letters).toHaveLength(round);
    },
    120_000,
  );
});
