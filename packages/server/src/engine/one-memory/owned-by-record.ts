import type { Memory } from '../../ports/memories.js';
import { documentOfPiece } from '../document-pieces/piece-memory.js';
import { resourceKind, resourceOf } from '../resources/resource-chunks.js';
import { placeOfPiece } from '../tiers/tier-session.js';
import type { Member } from './member.js';

/** The record that a memory is a part of, and the call that changes the record. */
interface OwningRecord {
  owner: 'file' | 'note' | 'document';
  call: string;
}

/** Returns undefined for a memory that can be changed by itself. */
export function recordOf({ tenantId, userId }: Member, memory: Memory): OwningRecord | undefined {
  const note = placeOfPiece(memory);
  if (note !== undefined) return { owner: 'note', call: `POST /v1/provider/retain {tier: ${note.tier}}` };
  if (memory.kind === resourceKind)
    return { owner: 'file', call: `POST /resources/delete {resource_id: ${resourceOf(memory)}}` };
  const place = documentOfPiece(memory);
  return (
    place && {
      owner: 'document',
      call: `PATCH /v1/tenants/${tenantId}/users/${userId}/documents/${place.namespace}/${encodeURIComponent(place.path)}`,
    }
  );
}
