import { performance } from 'node:perf_hooks';
import type { Config } from '../config/settings.js';
import type { Engine } from '../engine/engine.js';
import type { EventLoopWatch } from '../http/event-loop-watch.js';
import type { Metrics } from '../http/metrics.js';
import { Turns } from '../http/turns.js';
import type { Database } from '../store/database.js';

/** Enough to keep the event loop, the model and all connections busy. */
const leastAtOnce = 32;
/** A loop that is this late has more to do than one turn of it. */
const lateMs = 10;
const lookMs = 50;

/** Returns the turns of all requests to a server, and what stops them. */
export function createTurns(
  config: Config,
  { engine, database, watch, metrics }: { engine: Engine; database: Database; watch: EventLoopWatch; metrics: Metrics },
): { turns: Turns; stop: () => void } {
  const { pool } = database;
  const turns = new Turns({
    atOnce: Math.max(leastAtOnce, 2 * pool.options.max),
    longestWaitMs: config.shedDelayMs,
    isBehind: () => pool.waitingCount > 0 || (engine.embedder?.waiting ?? 0) > 0 || watch.lastDelayMs > lateMs,
    now: () => performance.now(),
  });
  metrics.gauge('memhall_requests_waiting', 'Requests that wait for their turn.', () => turns.waiting);
  const timer = setInterval(() => turns.look(), lookMs).unref();
  return { turns, stop: () => clearInterval(timer) };
}
