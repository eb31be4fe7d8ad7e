import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../../../deploy/cluster/cluster.mjs';

/** What happens to a cluster. Returns what ends it, once the service is back. */
type Strike = (cluster: Cluster) => Promise<() => Promise<void>>;

export interface FaultCase {
  name: string;
  /** False if no request may fail: a load balancer can send all of them elsewhere. */
  interrupts: boolean;
  strike: Strike;
}

/** Until the load balancer has noticed that a node is ready again. */
const noticedMs = 1000;
/** As soon as a supervisor would. */
const restartMs = 2000;

const databaseFaults: readonly FaultCase[] = [
  {
    name: 'the primary is killed',
    interrupts: true,
    strike: async (cluster) => {
      const name = await cluster.waitForPrimary();
      cluster.signalDatabase(name, 'SIGKILL');
      return async () => cluster.restartDatabase(name);
    },
  },
  {
    name: 'the primary stands still and wakes up later',
    interrupts: true,
    strike: async (cluster) => {
      const name = await cluster.waitForPrimary();
      cluster.signalDatabase(name, 'SIGSTOP');
      return async () => cluster.signalDatabase(name, 'SIGCONT');
    },
  },
  {
    name: 'the network of the primary is cut',
    interrupts: true,
    strike: async (cluster) => {
      const name = await cluster.waitForPrimary();
      cluster.cut(name);
      return async () => cluster.mend(name);
    },
  },
  {
    name: 'the disk of the primary is full',
    interrupts: true,
    strike: async (cluster) => {
      const name = await cluster.waitForPrimary();
      const free = cluster.fillDisk(name);
      return async () => free();
    },
  },
];

/** Kills one process that a supervisor starts again at once. */
function killed(name: string, service: string): FaultCase {
  return {
    name,
    interrupts: true,
    strike: async (cluster) => {
      await cluster.service(service).end('SIGKILL');
      await sleep(restartMs);
      cluster.service(service).start();
      return async () => undefined;
    },
  };
}

const otherFaults: readonly FaultCase[] = [
  killed('a node is killed', 'node2'),
  killed('a worker is killed', 'worker1'),
  {
    name: 'the standby is killed',
    interrupts: true,
    strike: async (cluster) => {
      const primary = await cluster.waitForPrimary();
      const standby = primary === 'postgres1' ? 'postgres2' : 'postgres1';
      cluster.signalDatabase(standby, 'SIGKILL');
      return async () => cluster.restartDatabase(standby);
    },
  },
  killed('the pooler is killed', 'pooler'),
  {
    name: 'all nodes are restarted, one after the other',
    interrupts: false,
    strike: async (cluster) => {
      for (const [index, url] of cluster.nodeUrls.entries()) {
        const node = cluster.service(`node${index + 1}`);
        await node.end('SIGTERM');
        node.start();
        await cluster.waitUntilReady(url);
        await sleep(noticedMs);
      }
      return async () => undefined;
    },
  },
];

/** Four rounds in five are about the primary. */
export function faultOf(round: number): FaultCase {
  const [group, place] = [Math.floor(round / 5), round % 5];
  const found = databaseFaults[place] ?? otherFaults[group % otherFaults.length];
  if (found === undefined) throw new Error('there is no fault');
  return found;
}
