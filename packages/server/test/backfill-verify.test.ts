import { describe, expect, inject, it } from 'vitest';
import { runCommand } from './support/command.js';
import { describeEachDatabase } from './support/databases.js';
import { useLegacyStore } from './support/legacy-store.js';
import { send, useServer } from './support/server.js';

/** Each text 130 times in one workspace, more often than one search can tell. */
const texts = {
  'the same words': "'Water the plants.'",
  'stop words': "'to be or not to be'",
  signs: "'?!? ... ---'",
  emoji: "'🚀🚀🚀'",
  'words of no space': "'日本語のメモ'",
  'a long common beginning': "repeat('Dear diary, again. ', 800) || n",
};

const rows = `
  INSERT INTO workspaces (id) VALUES ('ws');
  ${Object.values(texts)
    .map(
      (text, at) => `INSERT INTO agent_memories (id, workspace_id, content, scope)
        SELECT md5('${at}-' || n)::uuid, 'ws', ${text}, 'LOCAL' FROM generate_series(1, ${at === 5 ? 105 : 130}) AS n;`,
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
        /^Backfill complete: scanned=755 copied=755 skipped=0 errors=0$/m,
      );
      const { stdout } = await backfill('--verify');
      expect(stdout).toBe('Verify complete: workspaces_sampled=1 matches=755 mismatches=0 errors=0\n');
    }, 60_000);

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
      expect(stdout).toMatch(/ matches=750 mismatches=5 errors=0\n$/);
    }, 60_000);
  });
});
