import type { ChainedRecord } from '../../ports/audit-log.js';
import type { Counts, NotePlace } from '../../ports/erasure.js';
import type { Tables } from '../../ports/store.js';
import { toAuditRecord } from '../audit/audit-record.js';
import { erasedDetails, toErasedRecord } from '../audit/erased-records.js';
import type { Caller } from '../caller.js';
import { documentTarget } from '../documents/document-path.js';
import { parseDocumentRecord } from '../documents/document-record.js';
import type { Engine } from '../engine.js';
import { forgetPlace } from '../tiers/forget-tier.js';
import { fromTierPath } from '../tiers/tier-place.js';
import { refuseIfHeld } from './legal-holds.js';
import { addCounts, receiptTarget } from './receipt.js';

const pageSize = 500;

const none: Counts = { notes_elsewhere: 0, passages_elsewhere: 0, quarantined_elsewhere: 0, versions_elsewhere: 0 };

/**
 * Removes texts of tiers in other workspaces, with their search entries, quarantined texts and versions. What the audit log says
 * about them is replaced; a record in the same chain names the receipt. Throws LEGAL_HOLD if a workspace is held.
 */
export async function forgetElsewhere(
  engine: Engine,
  caller: Caller,
  places: readonly NotePlace[],
  receiptId: string,
): Promise<Counts> {
  let counts = none;
  for (const place of places) {
    const owner = { ...caller, userId: place.userId };
    const tier = fromTierPath(place.path);
    if (tier === undefined) continue;
    refuseIfHeld(await engine.store.inspect(caller.tenantId, (tables) => tables.legalHolds.on(place.userId)));
    const { texts, passages, quarantined } = await forgetPlace(engine, owner, tier);
    const versions = await eraseVersions(engine, owner, place, receiptId);
    counts = addCounts(counts, {
      notes_elsewhere: texts,
      passages_elsewhere: passages,
      quarantined_elsewhere: quarantined,
      versions_elsewhere: versions,
    });
  }
  return counts;
}

/** Returns the number of versions. Does nothing if the document is there again. */
function eraseVersions(engine: Engine, owner: Caller, place: NotePlace, receiptId: string): Promise<number> {
  const { tenantId, userId } = owner;
  return engine.store.erase({ tenantId, userId }, async (tables) => {
    refuseIfHeld(await tables.legalHolds.on(userId));
    const key = { kind: 'document', folder: place.namespace, name: place.path } as const;
    if ((await tables.artifacts.get(key)) !== undefined) return 0;
    let count = 0;
    const idempotencyKeys: string[] = [];
    for await (const page of versionsOf(tables, place)) {
      idempotencyKeys.push(...page.flatMap((one) => parseDocumentRecord(one).idempotency?.key ?? []));
      const replaced = await tables.erasure.replaceRecords(
        page.map(({ seq, record }) => ({ seq, record: toErasedRecord(record, receiptId) })),
      );
      const mutation = {
        target: receiptTarget(receiptId),
        ...{ preEtag: null, postEtag: null, contentHash: null },
        details: erasedDetails(engine.auditKey, tenantId, replaced),
      };
      tables.audit.append([toAuditRecord(owner, mutation, engine.clock.now())]);
      count += replaced.length;
    }
    tables.erasure.removeStates(place);
    tables.erasure.removeKeys(idempotencyKeys);
    return count;
  });
}

/** Yields the records that hold content of the document. The record of its removal holds none, and stays. */
async function* versionsOf(tables: Tables, place: NotePlace): AsyncGenerator<ChainedRecord[]> {
  for (let after = 0; ; ) {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, limit: pageSize };
    const page = await tables.audit.versions(documentTarget(place), range);
    const last = page.at(-1);
    if (last === undefined) return;
    after = parseDocumentRecord(last).document_version;
    const withContent = page.filter((one) => parseDocumentRecord(one).post_etag !== null);
    if (withContent.length > 0) yield withContent;
  }
}
