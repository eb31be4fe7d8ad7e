import { describe, expect, inject, it } from 'vitest';
import { runCommand } from './support/command.js';
import { describeEachDatabase } from './support/databases.js';
import { useLegacyStore } from './support/legacy-store.js';
import { send, useServer } from './support/server.js';

/** Each text 101 times in one workspace, more often than one search can tell. */
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
  describeEachDatabase('of texts that searches cannot tell apart', (database) => {
    const legacy = useLegacyStore(rows);
    const server = useServer(database);
    const backfill = (...args: string[]) =>
      runCommand(['backfill', ...args], {
        MEMORY_LEGACY_DATABASE_URL: legacy().url,
        MEMORY_PLUGIN_URL: server().pluginUrl ?? '',
        MEMHALL_DATA: database().flags.dataDirectory ?? '',
      });

    it('finds every one of them', async () => {
      expect((await backfill('--apply')).stdout).toMatch(
        new RegExp(`^Backfill complete: scanned=${rowCount} copied=${rowCount} skipped=0 errors=0$`, 'm'),
      );
      const { stdout } = await backfill('--verify');
      expect(stdout).toBe(`Verify complete: workspaces_sampled=1 matches=${rowCount} mismatches=0 errors=0\n`);
    }, 120_000);

    it('misses one of them', async () => {
      const { rows: found } = await legacy().client.query<{ id: string }>(
        `SELECT DISTINCT ON (content) id FROM agent_memories WHERE length(content) < 100 ORDER BY content, id`,
      );
      for (const { id } of found) {
        const path = `/v1/memories/${id}`;
        const body = { requested_by_namespace: 'workspace:ws' };
        expect((await send(server().pluginUrl ?? '', { method: 'DELETE', path, body })).status).toBe(204);
      }
      const { stdout } = await backfill('--verify');
      for (const { id } of found) expect(stdout).toMatch(new RegExp(`^mismatch: id=${id} `, 'm'));
      expect(stdout).toMatch(new RegExp(` matches=${rowCount - 3} mismatches=3 errors=0\n$`));
    }, 120_000);
  });
});
