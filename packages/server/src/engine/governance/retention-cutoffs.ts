import type { RetentionCeilings, RetentionPeriods } from '../../ports/retention.js';

/** Data older than these moments is removed. null means that none is. */
export interface RetentionCutoffs {
  snapshots: Date | null;
  events: Date | null;
  audit: Date | null;
  resources: Date | null;
}

const dayMs = 24 * 3600 * 1000;
/** Databases store no earlier moment. */
const earliestMs = new Date('0001-01-01T00:00:00Z').getTime();

/** The shorter of the profile's period and the tenant's ceiling applies. */
export function retentionCutoffs(profile: RetentionPeriods, ceilings: RetentionCeilings, asOf: Date): RetentionCutoffs {
  const cutoff = (...periods: (number | null)[]) => {
    const days = Math.min(...periods.map((period) => period ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(days) ? new Date(Math.max(asOf.getTime() - days * dayMs, earliestMs)) : null;
  };
  return {
    snapshots: cutoff(profile.snapshots, ceilings.snapshots),
    events: cutoff(profile.events, ceilings.events),
    audit: cutoff(profile.audit, ceilings.audit),
    resources: cutoff(ceilings.resources),
  };
}

/** Returns the longest period of each kind. null means forever. */
export function longestPeriods(all: readonly RetentionPeriods[]): RetentionPeriods {
  const longest = (kind: keyof RetentionPeriods) => {
    const days = all.map((periods) => periods[kind]);
    return days.includes(null) || days.length === 0 ? null : Math.max(...days.map((one) => one ?? 0));
  };
  return { snapshots: longest('snapshots'), events: longest('events'), audit: longest('audit') };
}
