import { type ScanVerdict, scanText } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { reportBlocked } from '../guard-models.js';
import { readLong } from '../read-long.js';
import { textsOf } from '../texts-of.js';
import { tierNamespace } from '../tier-path.js';
import { withholdTask } from '../withhold-entries.js';
import { releasedTexts } from './released-texts.js';
import { screenTier } from './screen-tier.js';
import { maxPieceLength } from './tier-index.js';
import { cutTier } from './tier-pieces.js';
import { placeOfPiece } from './tier-session.js';

interface ShownDocument {
  content: DocumentBody['content'];
  /** Number of entries, or runs of entries, that were replaced with placeholders. */
  withheld: number;
}

/**
 * Returns the content of a document for a model, without hostile entries, or why nothing of it may be shown. Text that was released
 * in a tier passes in its document too. What is withheld is reported to the operator.
 */
export async function showDocument(
  engine: Engine,
  caller: Caller,
  { namespace, path, body }: DocumentPlace & { body: DocumentBody },
): Promise<ShownDocument | { blocked: Pick<ScanVerdict, 'category' | 'rule'> }> {
  const kept =
    namespace === tierNamespace
      ? await engine.store.read(scopeOf(caller), (tables) => tables.quarantine.at({ namespace, path }))
      : [];
  const shown = { content: body.content, released: releasedTexts(kept) };
  const length = [...textsOf(body.content)].reduce((sum, text) => sum + text.length, 0);
  const { content, withheld, isBlocked } = await readLong(engine, withholdTask, shown, length);
  reportBlocked(engine, caller, body.doc_id, withheld);
  const [first] = withheld;
  if (first !== undefined && isBlocked) return { blocked: { category: first.category, rule: first.rule } };
  return { content, withheld: withheld.length };
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
