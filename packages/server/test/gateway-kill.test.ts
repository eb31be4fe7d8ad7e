import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { signToken } from '../src/cli/sign-token.js';
import { tokenSecret } from '../src/composition/token-verifier.js';
import { flagsOf, runCommand, spawnServer } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { pastEverything } from './support/past-everything.js';
import { send } from './support/server.js';

const rounds = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 20;

interface Work {
  url: string;
  identity: { user_id: string; user_key: string };
  onAnswer(): void;
}

/** Everything that the server has acknowledged. */
interface Acknowledged {
  messages: string[];
  chats: Set<string>;
  /** The text of each file, by resource id. */
  files: Map<string, string>;
}

describeOneDatabase('a gateway killed in the middle of requests', (database) => {
  it(
    `keeps every acknowledged message and file, closes episodes once and keeps no partial file, ${rounds} times in a row`,
    async () => {
      const flags = [...flagsOf(database()), '--log-level', 'silent', '--embedder', 'none'];
      const acknowledged: Acknowledged = { messages: [], chats: new Set(), files: new Map() };
      let identity: Work['identity'] | undefined;
      for (let round = 0; round < rounds; round++) {
        const server = await spawnServer(flags);
        identity ??= await register(server.url);
        // The delay starts at the first file: on a busy machine, that can take longer than the delay itself.
        let doomed = false;
        const onAnswer = () => {
          if (!doomed) setTimeout(() => server.child.kill('SIGKILL'), Math.random() * 700);
          doomed = true;
        };
        const work = { url: server.url, identity, onAnswer };
        const [messages, files] = [acknowledged.messages.length, acknowledged.files.size];
        await Promise.all([
          ...['a', 'b'].map((writer) => untilGone((count) => chat(work, acknowledged, `r${round}${writer}`, count))),
          ...['c', 'd'].map((writer) => untilGone((count) => upload(work, acknowledged, `r${round}${writer}${count}`))),
        ]);
        await server.ended;
        expect(acknowledged.messages.length).toBeGreaterThan(messages);
        expect(acknowledged.files.size).toBeGreaterThan(files);
      }
      if (identity === undefined) throw new Error('there was no round');
      const survivor = await spawnServer(flags);
      const call = async (path: string, body: object) =>
        (await send(survivor.url, { method: 'POST', path, body: { ...identity, ...body } })).body;
      for (const session_id of acknowledged.chats) await call('/memories/flush', { session_id });
      for (const said of acknowledged.messages.slice(-8)) {
        const { results } = await call('/memories/search', { query: said, scope: ['all_user_memory'], top_k: 20 });
        expect(results.map(({ text }: { text: string }) => text)).toContain(said);
      }
      for (const text of [...acknowledged.files.values()].slice(-8)) {
        const { results } = await call('/memories/search', { query: text, scope: ['resources'] });
        expect(results[0].text).toContain(text);
      }
      survivor.child.kill('SIGTERM');
      expect((await survivor.ended).code).toBe(0);
      await expectWhole(acknowledged);
      expect((await runCommand(['audit', 'verify', ...flagsOf(database())])).stdout).toMatch(/faults=0\n/);
    },
    // The surviving server and the database checks take as long as a round.
    (rounds + 3) * 60_000,
  );

  async function register(url: string): Promise<Work['identity']> {
    const secret = (await tokenSecret(database().config())) ?? '';
    const token = await signToken(secret, { tenant: 't1', user: 'boss', roles: ['admin'], ttlSeconds: 600 });
    const { body } = await send(url, { method: 'POST', path: '/users', body: { user_id: 'u1' }, token });
    return { user_id: 'u1', user_key: body.user_key };
  }

  /** Checks in the database that all acknowledged data is there and that nothing is partial. */
  async function expectWhole({ messages, files }: Acknowledged): Promise<void> {
    const said = await pastEverything<{ id: string; content: string }>(
      database(),
      `SELECT id, content FROM memhall.memories WHERE kind = 'episodic'`,
    );
    expect(said.map(({ content }) => content)).toEqual(expect.arrayContaining(messages));
    const closed = await pastEverything<{ message: string }>(
      database(),
      `SELECT json_array_elements_text(body -> 'evidence' -> 'message_ids') AS message
       FROM memhall.artifacts WHERE kind = 'event'`,
    );
    expect(closed.map(({ message }) => message).sort()).toEqual(said.map(({ id }) => id).sort());
    const kept = await pastEverything<{ id: string; hash: string; chunks: number; found: number; file: Buffer | null }>(
      database(),
      `SELECT resource_id AS id, content_hash AS hash, chunks,
         (SELECT count(*)::int FROM memhall.memories AS m WHERE m.session_id = 'resource:u1:' || resource_id) AS found,
         (SELECT string_agg(bytes, '' ORDER BY number) FROM memhall.resource_pieces AS p
          WHERE p.resource_id = r.resource_id) AS file
       FROM memhall.resources AS r`,
    );
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining([...files.keys()]));
    for (const { hash, chunks, found, file } of kept) {
      const actual = createHash('sha256')
        .update(file ?? '')
        .digest('hex');
      expect({ actual, found }).toEqual({ actual: hash, found: chunks });
    }
    const [{ pieces, chunks } = { pieces: 0, chunks: 0 }] = await pastEverything<{ pieces: number; chunks: number }>(
      database(),
      `SELECT (SELECT count(DISTINCT resource_id)::int FROM memhall.resource_pieces) AS pieces,
         (SELECT count(DISTINCT session_id)::int FROM memhall.memories WHERE kind = 'resource') AS chunks`,
    );
    expect({ pieces, chunks }).toEqual({ pieces: kept.length, chunks: kept.length });
  }
});

/** Repeats the work until the server is gone. */
async function untilGone(work: (count: number) => Promise<void>): Promise<void> {
  for (let count = 0; ; count++) {
    try {
      await work(count);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function chat({ url, identity }: Work, { messages, chats }: Acknowledged, writer: string, count: number) {
  const session_id = `chat:${writer}`;
  const content = `Message number ${count} of ${writer} is here.`;
  const message = { sender_id: 'u1', role: 'user', timestamp: Date.now(), content };
  chats.add(session_id);
  await succeed(url, '/memories/add', { ...identity, session_id, messages: [message] });
  messages.push(content);
  if (count % 3 === 2) await succeed(url, '/memories/flush', { ...identity, session_id });
}

async function upload({ url, identity, onAnswer }: Work, { files }: Acknowledged, name: string): Promise<void> {
  const text = `File ${name} tells of itself.`;
  const form = new FormData();
  for (const [field, value] of Object.entries(identity)) form.append(field, value);
  form.append(
    'file',
    new Blob([`# ${name}\n\n${text}\n\n${`About ${name} there is more to say. `.repeat(200)}`]),
    name,
  );
  const response = await fetch(`${url}/resources`, { method: 'POST', body: form });
  const body = (await response.json()) as { resource_id: string };
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${JSON.stringify(body)}`);
  files.set(body.resource_id, text);
  onAnswer();
}

async function succeed(url: string, path: string, body: object): Promise<void> {
  const answer = await send(url, { method: 'POST', path, body });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
