import { type ScanVerdict, scanText } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { findBlocked, textsOf } from '../guard-models.js';
import { tierNamespace } from '../tier-path.js';
import { withoutReleased } from './released-texts.js';
import { screenTier } from './screen-tier.js';
import { maxPieceLength } from './tier-index.js';
import { cutTier } from './tier-pieces.js';
import { placeOfPiece } from './tier-session.js';

/** Does the same as `findBlocked` for a whole document. Text that was released in a tier passes in its document too. */
export async function findBlockedDocument(
  engine: Engine,
  caller: Caller,
  { namespace, path, body }: DocumentPlace & { body: DocumentBody },
): Promise<Pick<ScanVerdict, 'category' | 'rule'> | undefined> {
  const text = [...textsOf(body.content)].join('\n');
  const kept =
    namespace === tierNamespace
      ? await engine.store.read(scopeOf(caller), (tables) => tables.quarantine.at({ namespace, path }))
      : [];
  return findBlocked(engine, caller, body.doc_id, [withoutReleased(text, kept)]);
}

/**
 * Returns whether a piece of a tier's text passes the scanner, or can be read in its tier although it does not. A piece may
 * contain only a part of a released text, so it cannot be judged alone.
 */
export async function isReadableInTier(engine: Engine, caller: Caller, memory: Memory): Promise<boolean> {
  const place = placeOfPiece(memory);
  if (place === undefined) return false;
  if (scanText(memory.content) === undefined) return true;
  const { text } = await screenTier(engine, caller, place);
  return cutTier(text, maxPieceLength).some((piece) => piece.text === memory.content);
}
