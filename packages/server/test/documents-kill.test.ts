import { expect, it } from 'vitest';
import { flagsOf, runCommand, spawnServer } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { add } from './support/documents.js';
import { type Answer, send } from './support/server.js';

const rounds = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 20;
const writers = 4;

interface Patch {
  path: string;
  key: string;
  ops: unknown[];
}

interface Writing {
  url: string;
  token: string;
  /** The acknowledged marks in each document, by document path. */
  acknowledged: Map<string, string[]>;
  /** Patches whose response was lost in the kill. */
  unsure: Patch[];
  onAnswer(): void;
}

function sendPatch(url: string, token: string, { path, key, ops }: Patch): Promise<Answer> {
  const body = { profile_id: 'project-copilot-v1', binding_id: 'project_doc', reason: 'live_update', ops };
  const headers = { 'if-match': '*', 'idempotency-key': key };
  return send(url, { method: 'PATCH', path, token, headers, body });
}

/** Patches the writer's own document until the server is gone. */
async function write({ url, token, acknowledged, unsure, onAnswer }: Writing, writer: string): Promise<void> {
  const path = `/v1/tenants/t1/users/u1/documents/projects/${writer}.json`;
  acknowledged.set(path, []);
  for (let count = 0; ; count++) {
    const start = count === 0 ? [add('/facets/log', [])] : [];
    const mark = `${writer}-${count}`;
    const patch = { path, key: mark, ops: [...start, add('/facets/log/-', mark)] };
    try {
      const { status, body } = await sendPatch(url, token, patch);
      expect({ status, body }).toMatchObject({ status: 200 });
      acknowledged.get(path)?.push(mark);
      onAnswer();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      unsure.push(patch);
      return;
    }
  }
}

describeOneDatabase('a server killed while it applies patches', (database) => {
  it(
    `keeps every acknowledged patch and applies the others once when they are sent again, ${rounds} times in a row`,
    async () => {
      const flags = [...flagsOf(database()), '--log-level', 'silent'];
      const embedder = { MEMHALL_EMBEDDER: 'none' };
      const { stdout } = await runCommand([
        'token',
        '--tenant',
        't1',
        '--user',
        'u1',
        '--ttl',
        '1h',
        ...flags.slice(0, 2),
      ]);
      const token = stdout.trim();
      const acknowledged = new Map<string, string[]>();
      const unsure: Patch[] = [];
      for (let round = 0; round < rounds; round++) {
        const server = await spawnServer(flags, embedder);
        // The delay starts at the first response: on a busy machine, that can take longer than the delay itself.
        let doomed = false;
        const onAnswer = () => {
          if (!doomed) setTimeout(() => server.child.kill('SIGKILL'), Math.random() * 1000);
          doomed = true;
        };
        const writing = { url: server.url, token, acknowledged, unsure, onAnswer };
        await Promise.all(Array.from({ length: writers }, (_, writer) => write(writing, `r${round}-w${writer}`)));
        await server.ended;
      }
      const survivor = await spawnServer(flags, embedder);
      expect(unsure).toHaveLength(rounds * writers);
      for (const patch of unsure) {
        expect((await sendPatch(survivor.url, token, patch)).status).toBe(200);
        acknowledged.get(patch.path)?.push(patch.key);
      }
      let versions = 0;
      for (const [path, marks] of acknowledged) {
        const { body } = await send(survivor.url, { path, token });
        expect(body.document.content.facets.log).toEqual(marks);
        const { body: history } = await send(survivor.url, { path: `${path}/history?limit=1`, token });
        expect(history.versions[0]).toMatchObject({ version: marks.length, etag: body.etag });
        versions += marks.length;
      }
      survivor.child.kill('SIGTERM');
      expect((await survivor.ended).code).toBe(0);
      const verified = await runCommand(['audit', 'verify', ...flagsOf(database())]);
      expect(verified.stdout.split('\n')[0]).toBe(`Verify complete: chains=1 records=${versions} faults=0`);
    },
    60_000 + rounds * 30_000,
  );
});
