import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Cluster, missingParts } from '../../../../deploy/cluster/cluster.mjs';
import { send } from '../support/server.js';
import { faultOf } from './faults.js';
import { createOwners } from './load/create-owners.js';
import { type RoundReport, runRound } from './run-round.js';

const rounds = Number(process.env.MEMHALL_FAILOVER_ROUNDS ?? 20);
/** A series with a directory of its own goes on where it stopped. */
const kept = process.env.MEMHALL_FAILOVER_DIRECTORY;
/** Of each database server. Small enough to be filled in a second. */
const dataMegabytes = 700;

describe('a cluster that loses parts under load', () => {
  const directory = kept ?? mkdtempSync(join(tmpdir(), 'memhall-failover-'));
  mkdirSync(directory, { recursive: true });
  const reports = join(directory, 'rounds.jsonl');
  const done = new Set(readReports(reports).map(({ round }) => round));
  const secret = randomBytes(24).toString('hex');
  let cluster: Cluster;

  beforeAll(async () => {
    const missing = missingParts();
    if (missing.length > 0) {
      throw new Error(`The failover series needs ${missing.join(', ')}: run scripts/install-cluster.sh as root.`);
    }
    cluster = await Cluster.start({ dataMegabytes, settings: { MEMHALL_JWT_SECRET: secret } });
    // Ctrl-C reaches this process as well, which would leave servers and network namespaces behind.
    process.once('SIGINT', () => void cluster.stop().finally(() => process.exit(1)));
  }, 180_000);

  afterAll(async () => {
    await cluster?.stop();
    if (kept === undefined) rmSync(directory, { recursive: true, force: true });
  }, 60_000);

  it('reads from the standby while nothing is lost', async () => {
    const [owner] = await createOwners(cluster.url, secret, `reads${Date.now()}`);
    const path = '/v1/recall';
    await vi.waitFor(
      async () => {
        const recalled = await send(cluster.url, {
          method: 'POST',
          path,
          body: { query: 'tea' },
          token: owner?.token ?? '',
        });
        expect(recalled.status).toBe(200);
        const shown = await Promise.all(
          cluster.nodeUrls.map((url) => fetch(`${url}/metrics`).then((one) => one.text())),
        );
        expect(shown.join()).toMatch(/memhall_shown_reads\{server="standby"\} [1-9]/);
      },
      { timeout: 60_000, interval: 500 },
    );
  }, 90_000);

  for (let round = 0; round < rounds; round++) {
    // Rounds that an earlier run of the series has finished are judged again, not repeated.
    it(`keeps its promises in round ${round}: ${faultOf(round).name}`, { timeout: 600_000 }, async () => {
      if (!done.has(round)) {
        const report = await runRound({ cluster, secret, directory }, round);
        appendFileSync(reports, `${JSON.stringify(report)}\n`);
      }
      const report = readReports(reports).find((one) => one.round === round);
      expect(report?.faults).toEqual([]);
    });
  }
});

function readReports(path: string): RoundReport[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as RoundReport);
}
