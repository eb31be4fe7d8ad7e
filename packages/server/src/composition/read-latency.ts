import type { Pool } from 'pg';
import type { Config } from '../config/settings.js';
import { explainLatency, type StageTimes } from '../engine/operations/explain-latency.js';
import type { RecentLatency } from '../http/latency-window.js';
import type { Metrics } from '../http/metrics.js';
import { recallStages } from '../ports/telemetry.js';
import type { LatencyState } from '../surfaces/operations/operations.js';

/** Operations whose latency has an objective: what an agent waits for before and after each turn. */
const recalls = ['memory.recall', 'gateway.search', 'provider.recall', 'semantic.query', 'context.assemble'];
const writes = [
  'memory.remember',
  'gateway.add',
  'provider.retain',
  'semantic.store',
  'episodic.log',
  'documents.patch',
];

type Objectives = Pick<Config, 'objectiveRecallMs' | 'objectiveWriteMs'>;

export function readLatency(
  { objectiveRecallMs, objectiveWriteMs }: Objectives,
  metrics: Metrics,
  { pool, isShedding }: { pool: Pick<Pool, 'waitingCount'>; isShedding: boolean },
): LatencyState {
  const requests = metrics.recentRequests.read();
  const stages = metrics.recentStages.read();
  const stalls = metrics.recentStalls();
  const slowest = slowestRecall(requests);
  const findings = explainLatency({
    recallMs: slowest?.now?.p95Ms ?? null,
    recallBeforeMs: slowest?.before?.p95Ms ?? null,
    objectiveMs: objectiveRecallMs,
    stages: toStageTimes(stages),
    stalls,
    isShedding,
    waitingForConnection: pool.waitingCount,
  });
  const objectives = [
    ...recalls.map((operation) => ({ operation, p95Ms: objectiveRecallMs })),
    ...writes.map((operation) => ({ operation, p95Ms: objectiveWriteMs })),
  ];
  return { objectives, requests, stages, stalls, findings };
}

function slowestRecall(requests: ReadonlyMap<string, RecentLatency>): RecentLatency | undefined {
  return recalls
    .flatMap((operation) => requests.get(operation) ?? [])
    .sort((one, other) => (other.now?.p95Ms ?? 0) - (one.now?.p95Ms ?? 0))[0];
}

/** Spreads the time of each part over all recalls: a part that only some of them have must not weigh more than it does. */
function toStageTimes(stages: ReadonlyMap<string, RecentLatency>): StageTimes[] {
  const recallsIn = (when: keyof RecentLatency) => stages.get('load')?.[when]?.count ?? 0;
  const perRecall = (stage: string, when: keyof RecentLatency) => {
    const found = stages.get(stage)?.[when];
    const recalled = recallsIn(when);
    if (recalled === 0) return null;
    return found == null ? 0 : (found.meanMs * found.count) / recalled;
  };
  return recallStages.map((stage) => ({
    stage,
    nowMs: perRecall(stage, 'now') ?? 0,
    beforeMs: perRecall(stage, 'before'),
  }));
}
