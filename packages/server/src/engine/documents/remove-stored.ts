import type { PatchOperation } from '@memhall/core';
import type { Artifact } from '../../ports/artifacts.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { lastRecord } from './document-at.js';
import { documentTarget } from './document-path.js';
import { toRecordDetails, unboundChange } from './document-record.js';
import { nextMoment } from './governed-document.js';

/**
 * Removes a document. The removal is itself a version. Audit records of earlier versions stay until retention cuts them.
 */
export async function removeStored(
  tables: Tables,
  present: Artifact<'document'>,
  { now, reason, updatedBy }: { now: Date; reason: string; updatedBy: string },
): Promise<Mutation> {
  const { kind, folder, name, etag, version, body } = present;
  tables.artifacts.delete({ kind, folder, name });
  const place = { namespace: folder, path: name };
  const last = await lastRecord(tables, place);
  const ops: PatchOperation[] = [{ op: 'remove', path: '/content' }];
  return {
    target: documentTarget(place),
    preEtag: etag,
    postEtag: null,
    contentHash: null,
    at: nextMoment(now, body.updated_at),
    details: toRecordDetails({
      ...unboundChange(last, body, { ops, reason, updatedBy }),
      version: version + 1,
      origin: null,
    }),
  };
}
