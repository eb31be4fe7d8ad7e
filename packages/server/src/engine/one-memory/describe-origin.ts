import type { Memory } from '../../ports/memories.js';
import type { SurfaceName } from '../../ports/memory-origin.js';
import { documentOfPiece } from '../document-pieces/piece-memory.js';
import { captionOf, resourceOf } from '../resources/resource-chunks.js';
import { placeOfPiece } from '../tiers/tier-session.js';

/** Where a memory comes from. */
export interface Origin {
  surface: SurfaceName;
  /** The user who wrote it, else the service; '' if nobody is known. */
  author: string;
  role?: string;
  namespace?: string;
  sessionId?: string;
  /** The place in a governed document that it is a piece of. */
  document?: { namespace: string; path: string; pointer: string };
  /** The uploaded file that it is a piece of. */
  resource?: { resourceId: string; title: string | null };
  /** The note of an agent, a crew or the workspace that it is a piece of. */
  tier?: { owner: string; label: string };
}

export function describeOrigin(memory: Memory): Origin {
  const { surface, author, role, partition, sessionId } = memory;
  const resourceId = resourceOf(memory);
  const tier = placeOfPiece(memory);
  const piece = documentOfPiece(memory);
  const document = piece && { namespace: piece.namespace, path: piece.path, pointer: piece.pointer };
  // The session of a piece only groups the pieces of its record.
  const isPiece = resourceId !== null || tier !== undefined || document !== undefined;
  return {
    surface,
    author,
    ...(role === null ? {} : { role }),
    ...(partition.kind === 'namespace' ? { namespace: partition.name } : {}),
    ...(sessionId === null || isPiece ? {} : { sessionId }),
    ...(document && { document }),
    ...(resourceId === null ? {} : { resource: { resourceId, title: captionOf(memory)?.title ?? null } }),
    ...(tier && { tier: { owner: tier.owner, label: tier.label } }),
  };
}
