import { performance } from 'node:perf_hooks';
import type { RecallStage } from '../../../ports/telemetry.js';
import type { Engine } from '../../engine.js';

/** Does a part of a recall, and reports how long it took. */
export async function timeStage<T>(
  { telemetry }: Pick<Engine, 'telemetry'>,
  stage: RecallStage,
  work: () => Promise<T>,
): Promise<T> {
  const since = performance.now();
  try {
    return await work();
  } finally {
    telemetry.observeRecallStage(stage, (performance.now() - since) / 1000);
  }
}
