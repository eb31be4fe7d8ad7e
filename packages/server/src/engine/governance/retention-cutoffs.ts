import type { RetentionPeriods } from '../../ports/retention.js';

/** What is older than these goes; null: nothing does. */
export interface RetentionCutoffs {
  snapshots: Date | null;
  events: Date | null;
  audit: Date | null;
}

const dayMs = 24 * 3600 * 1000;

/** Of a profile's period and the tenant's ceiling the shorter one counts. */
export function retentionCutoffs(profile: RetentionPeriods, ceilings: RetentionPeriods, asOf: Date): RetentionCutoffs {
  const cutoff = (kind: keyof RetentionPeriods) => {
    const days = Math.min(profile[kind] ?? Number.POSITIVE_INFINITY, ceilings[kind] ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(days) ? new Date(asOf.getTime() - days * dayMs) : null;
  };
  return { snapshots: cutoff('snapshots'), events: cutoff('events'), audit: cutoff('audit') };
}

/** The longest of several periods, each kind for itself; null is for ever. */
export function longestPeriods(all: readonly RetentionPeriods[]): RetentionPeriods {
  const longest = (kind: keyof RetentionPeriods) => {
    const days = all.map((periods) => periods[kind]);
    return days.includes(null) || days.length === 0 ? null : Math.max(...days.map((one) => one ?? 0));
  };
  return { snapshots: longest('snapshots'), events: longest('events'), audit: longest('audit') };
}
