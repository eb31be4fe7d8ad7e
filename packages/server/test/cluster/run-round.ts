import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster } from '../../../../deploy/cluster/cluster.mjs';
import { program } from '../support/command.js';
import { faultOf } from './faults.js';
import { checkHistory } from './history/check-history.js';
import { HistoryFile } from './history/history-file.js';
import type { Operation } from './history/operation.js';
import { createOwners } from './load/create-owners.js';
import { Load } from './load/load.js';
import type { Owner } from './load/load-client.js';

/** The service has to be back after this time, without help. */
const mostOutageMs = 30_000;
const beforeMs = 4000;
/** How long every owner's writes have to be acknowledged again before the service counts as back. */
const steadyMs = 3000;
const giveUpMs = 90_000;

export interface RoundReport {
  round: number;
  fault: string;
  operations: number;
  unknown: number;
  /** The longest time without an acknowledged write of any owner since the fault. */
  outageMs: number;
  /** What cannot have happened; empty if all is well. */
  faults: string[];
}

interface RoundPlace {
  cluster: Cluster;
  secret: string;
  /** Where the history is kept. */
  directory: string;
}

/** Puts a cluster under load, lets one fault happen, and judges what clients were told. */
export async function runRound({ cluster, secret, directory }: RoundPlace, round: number): Promise<RoundReport> {
  const fault = faultOf(round);
  const file = join(directory, `round-${round}.jsonl`);
  // An earlier attempt may have been interrupted.
  rmSync(file, { force: true });
  const history = new HistoryFile(file);
  const owners = await createOwners(cluster.url, secret, `r${round}`);
  const load = new Load(owners, [cluster.url], history);
  let struckMs: number;
  let isBack: boolean;
  await load.start();
  try {
    await sleep(beforeMs);
    struckMs = performance.timeOrigin + performance.now();
    const end = await fault.strike(cluster);
    isBack = await waitForWrites(history, owners, struckMs);
    await end();
    await cluster.waitUntilWhole();
    await waitForWrites(history, owners, performance.timeOrigin + performance.now());
  } finally {
    await load.stop();
  }
  await load.readFinalStates();
  const operations = history.read();
  const outageMs = Math.max(...owners.map((owner) => longestGapMs(operations, owner, struckMs)));
  const faults = [
    ...checkHistory(operations).map(({ kind, object, detail }) => `${kind} in ${object}: ${detail}`),
    ...load.unexpected,
    ...(isBack && outageMs <= mostOutageMs ? [] : [`no write was acknowledged for ${Math.round(outageMs)} ms`]),
    ...(fault.interrupts ? [] : findInterruptions(operations)),
    ...(await verifyAudit(cluster, owners)),
  ];
  const unknown = operations.filter(({ outcome }) => outcome === 'unknown').length;
  return { round, fault: fault.name, operations: operations.length, unknown, outageMs: Math.round(outageMs), faults };
}

function writesOf(operations: readonly Operation[], { tenant, user }: Owner): Operation[] {
  const object = `${tenant}/${user} audit`;
  return operations.filter((one) => one.object === object && one.model === 'list' && one.action === 'append');
}

/** Waits until writes of every owner that began after a time are acknowledged, and none fails. Returns whether it came to that. */
async function waitForWrites(history: HistoryFile, owners: readonly Owner[], sinceMs: number): Promise<boolean> {
  for (const deadline = performance.now() + giveUpMs; performance.now() < deadline; await sleep(500)) {
    const fromMs = Math.max(sinceMs, performance.timeOrigin + performance.now() - steadyMs);
    if (fromMs - sinceMs < steadyMs) continue;
    const operations = history.read();
    const isSteady = owners.every((owner) => {
      const recent = writesOf(operations, owner).filter(({ endedMs }) => endedMs >= fromMs);
      return recent.some(({ outcome }) => outcome === 'done') && !recent.some(({ outcome }) => outcome === 'unknown');
    });
    if (isSteady) return true;
  }
  return false;
}

function longestGapMs(operations: readonly Operation[], owner: Owner, sinceMs: number): number {
  const acknowledged = writesOf(operations, owner)
    .filter(({ outcome, endedMs }) => outcome === 'done' && endedMs > sinceMs)
    .map(({ endedMs }) => endedMs)
    .sort((one, other) => one - other);
  const moments = [sinceMs, ...acknowledged];
  return Math.max(0, ...moments.slice(1).map((moment, index) => moment - (moments[index] ?? moment)));
}

function findInterruptions(operations: readonly Operation[]): string[] {
  return operations
    .filter(({ outcome }) => outcome === 'unknown')
    .map(({ object, id, client }) => `the request ${id} of ${client} for ${object} got no answer`);
}

async function verifyAudit(cluster: Cluster, owners: readonly Owner[]): Promise<string[]> {
  const tenants = [...new Set(owners.map(({ tenant }) => tenant))];
  const verdicts = await Promise.all(
    tenants.map(async (tenant) => {
      const args = [program, 'audit', 'verify', '--tenant', tenant];
      try {
        const { stdout } = await promisify(execFile)(process.execPath, args, { env: cluster.environment });
        return /faults=0\b/.test(stdout) ? [] : [stdout];
      } catch (error) {
        return [`audit verify: ${String((error as { stdout?: string }).stdout || error)}`];
      }
    }),
  );
  return verdicts.flat();
}
