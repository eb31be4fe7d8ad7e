/** Upper bounds of the buckets, in milliseconds: each a fifth larger than the one before, from 0.25 ms to over a minute. */
const bounds = Array.from({ length: 70 }, (_, index) => 0.25 * 1.2 ** index);
const minuteMs = 60_000;
/** How far back it looks. */
const windowMinutes = 60;
/** What counts as now. */
export const nowMinutes = 5;

export interface LatencySummary {
  count: number;
  p50Ms: number;
  p95Ms: number;
  meanMs: number;
}

/** How long something took in the last minutes, and in the rest of the hour before them. null: it did not happen. */
export interface RecentLatency {
  now: LatencySummary | null;
  before: LatencySummary | null;
}

interface Slot {
  minute: number;
  totals: Map<string, { counts: Uint32Array; count: number; sumMs: number }>;
}

/**
 * Durations of the last hour by name, in buckets per minute: Prometheus keeps longer histories, but a person who asks why something
 * got slow compares now with before, also where nothing scrapes.
 */
export class LatencyWindow {
  readonly #slots: Slot[] = [];
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  observe(name: string, seconds: number): void {
    const minute = Math.floor(this.#now() / minuteMs);
    let slot = this.#slots.at(-1);
    if (slot === undefined || slot.minute !== minute) {
      slot = { minute, totals: new Map() };
      this.#slots.push(slot);
      while ((this.#slots[0]?.minute ?? minute) <= minute - windowMinutes) this.#slots.shift();
    }
    const found = slot.totals.get(name) ?? { counts: new Uint32Array(bounds.length), count: 0, sumMs: 0 };
    slot.totals.set(name, found);
    const ms = seconds * 1000;
    const bucket = bucketOf(ms);
    found.counts[bucket] = (found.counts[bucket] ?? 0) + 1;
    found.count += 1;
    found.sumMs += ms;
  }

  /** Returns what was observed within the window, by name. */
  read(): Map<string, RecentLatency> {
    const minute = Math.floor(this.#now() / minuteMs);
    const kept = this.#slots.filter((slot) => slot.minute > minute - windowMinutes);
    const names = [...new Set(kept.flatMap(({ totals }) => [...totals.keys()]))].sort();
    const isNow = (slot: Slot) => slot.minute > minute - nowMinutes;
    return new Map(
      names.map((name) => [
        name,
        {
          now: summarize(kept.filter(isNow), name),
          before: summarize(
            kept.filter((slot) => !isNow(slot)),
            name,
          ),
        },
      ]),
    );
  }
}

function bucketOf(ms: number): number {
  const bucket = Math.ceil(Math.log(Math.max(ms, 0.25) / 0.25) / Math.log(1.2));
  return Math.min(bucket, bounds.length - 1);
}

function summarize(slots: readonly Slot[], name: string): LatencySummary | null {
  const counts = new Uint32Array(bounds.length);
  let count = 0;
  let sumMs = 0;
  for (const { totals } of slots) {
    const one = totals.get(name);
    if (one === undefined) continue;
    for (let bucket = 0; bucket < counts.length; bucket++)
      counts[bucket] = (counts[bucket] ?? 0) + (one.counts[bucket] ?? 0);
    count += one.count;
    sumMs += one.sumMs;
  }
  if (count === 0) return null;
  return { count, p50Ms: quantile(counts, count * 0.5), p95Ms: quantile(counts, count * 0.95), meanMs: sumMs / count };
}

/** Returns the upper bound of the bucket that contains the given rank. */
function quantile(counts: Uint32Array, rank: number): number {
  let seen = 0;
  const bucket = counts.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
  return bounds[bucket] ?? 0;
}
