import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { runApply, runVerify } from '../src/composition/run-backfill.js';
import { describeOneDatabase } from './support/databases.js';
import { useLegacyStore } from './support/legacy-store.js';
import { send, useServer } from './support/server.js';

/** Each text appears 101 times in one workspace, more often than one search returns. */
const times = 101;
const texts = {
  'the same words': "'Water the plants.'",
  'stop words': "'to be or not to be'",
  'signs and emoji': "'🚀 ?!? ... 🚀'",
  'a long common beginning': "repeat('Dear diary, again. ', 440) || n",
};
const rowCount = times * Object.keys(texts).length;

const rows = `
  INSERT INTO workspaces (id) VALUES ('ws');
  ${Object.values(texts)
    .map(
      (text, at) => `INSERT INTO agent_memories (id, workspace_id, content, scope)
        SELECT md5('${at}-' || n)::uuid, 'ws', ${text}, 'LOCAL' FROM generate_series(1, ${times}) AS n;`,
    )
    .join('\n')}`;

describe.runIf(inject('postgresUrl') !== null)('memhall backfill --verify', () => {
  describeOneDatabase('with texts that a search cannot tell apart', (database) => {
    const legacy = useLegacyStore(rows);
    const server = useServer(database);
    const config = () =>
      database().config({ legacyDatabaseUrl: legacy().url, memoryPluginUrl: server().pluginUrl ?? '' });
    const silent = pino({ level: 'silent' });
    const { signal } = new AbortController();

    async function verify() {
      const missed: string[] = [];
      const { counts } = await runVerify(config(), silent, {
        ...{ sample: 1, signal, onWorkspace: () => undefined, onFault: () => undefined },
        onMismatch: (id) => missed.push(id),
      });
      return { ...counts, missed: missed.sort() };
    }

    it('finds every copy', async () => {
      const ignored = { onBatch: () => undefined, onResume: () => undefined, onFault: () => undefined };
      const { counts } = await runApply(config(), silent, { filter: {}, restart: false, signal, ...ignored });
      expect(counts).toEqual({ scanned: rowCount, copied: rowCount, skipped: 0, errors: 0 });
      expect(await verify()).toEqual({
        workspacesSampled: 1,
        matches: rowCount,
        mismatches: 0,
        errors: 0,
        accepted: 0,
        amongEquals: 0,
        missed: [],
      });
    }, 120_000);

    it('reports the missing copies by id', async () => {
      const { rows: found } = await legacy().client.query<{ id: string }>(
        `SELECT DISTINCT ON (content) id FROM agent_memories WHERE length(content) < 100 ORDER BY content, id`,
      );
      for (const { id } of found) {
        const path = `/v1/memories/${id}`;
        const body = { requested_by_namespace: 'workspace:ws' };
        expect((await send(server().pluginUrl ?? '', { method: 'DELETE', path, body })).status).toBe(204);
      }
      const ids = found.map(({ id }) => id).sort();
      expect(await verify()).toMatchObject({ matches: rowCount - 3, mismatches: 3, errors: 0, missed: ids });
    }, 120_000);
  });
});
