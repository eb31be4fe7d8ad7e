import type { ChainEnd } from '../../ports/audit-log.js';
import type { OldRecord } from '../../ports/retention.js';
import type { Tables } from '../../ports/store.js';
import { documentAt } from '../documents/document-at.js';
import { fromDocumentTarget } from '../documents/document-path.js';

/** What retention itself writes to a chain. */
export const retentionTarget = 'retention';

/**
 * Cuts records before a moment from the beginning of the user's chain, at most `limit`. States of documents that would be
 * out of reach without them are kept whole: the last one that is cut, from which the document is rebuilt, and
 * every one that was current after `horizon`, which a repeated request may still be answered with.
 */
export async function cutAudit(
  tables: Tables,
  { before, horizon, limit }: { before: Date; horizon: Date; limit: number },
): Promise<{ count: number; cut: ChainEnd | null }> {
  const oldest = await tables.retention.oldestRecords(limit);
  const firstKept = oldest.findIndex(({ at }) => at >= before);
  const going = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
  const last = going.at(-1);
  // The record of the last cut has to stay as long as nothing else goes.
  if (last === undefined || going.every(({ target }) => target === retentionTarget)) return { count: 0, cut: null };
  for (const [target, versions] of groupByDocument(going)) await keepStates(tables, target, versions, horizon);
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
    if (state?.version !== version) throw new Error(`version ${version} of ${target} cannot be read`);
    tables.retention.keepState(place, state);
  }
  const [first] = versions;
  const last = versions.at(-1);
  if (first === undefined || last === undefined) return;
  // Where even the first of these is younger than the horizon, so is the end of the one before it.
  const keepFrom = first.at >= horizon ? 0 : (kept[0]?.version ?? last.version);
  tables.retention.beginAt(place, last.version, keepFrom);
}
