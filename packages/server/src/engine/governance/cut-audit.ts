import type { ChainEnd } from '../../ports/audit-log.js';
import type { OldRecord } from '../../ports/retention.js';
import type { Tables } from '../../ports/store.js';
import { documentAt } from '../documents/document-at.js';
import { fromDocumentTarget } from '../documents/document-path.js';

/** Target of the records that retention itself writes to a chain. */
export const retentionTarget = 'retention';

/**
 * Cuts up to `limit` records before a moment from the beginning of the user's chain. Document states that depend on the cut
 * records are stored in full: the last version that is cut, from which the document is rebuilt, and every version that was
 * current after `horizon`, which a repeated request may still return.
 */
export async function cutAudit(
  tables: Tables,
  { before, horizon, limit }: { before: Date; horizon: Date; limit: number },
): Promise<{ count: number; cut: ChainEnd | null }> {
  const oldest = await tables.retention.oldestRecords(limit);
  const firstKept = oldest.findIndex(({ at }) => at >= before);
  const toCut = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
  const last = toCut.at(-1);
  // The record of the last cut must stay until there is something else to cut.
  if (last === undefined || toCut.every(({ target }) => target === retentionTarget)) return { count: 0, cut: null };
  for (const [target, versions] of groupByDocument(toCut)) await keepStates(tables, target, versions, horizon);
  return { count: await tables.retention.cutAudit(last), cut: { seq: last.seq, hash: last.hash } };
}

interface Version {
  version: number;
  at: Date;
}

function groupByDocument(records: readonly OldRecord[]): Map<string, Version[]> {
  const groups = new Map<string, Version[]>();
  for (const { target, version, at } of records) {
    if (version !== null) groups.set(target, [...(groups.get(target) ?? []), { version, at }]);
  }
  return groups;
}

async function keepStates(tables: Tables, target: string, versions: readonly Version[], horizon: Date): Promise<void> {
  const place = fromDocumentTarget(target);
  const isCurrentAfterHorizon = (index: number) => {
    const next = versions[index + 1];
    return next === undefined || next.at >= horizon;
  };
  const kept = versions.filter((_, index) => isCurrentAfterHorizon(index));
  for (const { version } of kept) {
    const state = await documentAt(tables, place, { version });
    if (state?.version !== version) throw new Error(`version ${version} of ${target} cannot be rebuilt`);
    tables.retention.keepState(place, state);
  }
  const [first] = versions;
  const last = versions.at(-1);
  if (first === undefined || last === undefined) return;
  // If even the first of these versions is newer than the horizon, the one before it was still current after the horizon.
  const keepFrom = first.at >= horizon ? 0 : (kept[0]?.version ?? last.version);
  tables.retention.beginAt(place, last.version, keepFrom);
}
