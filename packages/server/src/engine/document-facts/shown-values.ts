import { formatPointer, getAt, type Json } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Caller } from '../caller.js';
import { maxPieceLength } from '../document-pieces/cut-document.js';
import { elementText } from '../document-pieces/element-text.js';
import { pieceId } from '../document-pieces/piece-memory.js';
import type { Binding, FactRule } from '../documents/profile.js';
import { textOf } from '../documents/text-of.js';

/** A value in a document that agrees with facts, or a text that states some. */
export interface ShownValue {
  rule: FactRule;
  /** Whom it is about, if it is the value of an attribute. */
  subject: string;
  /** Its position in a list; null if it is not in one. */
  index: number | null;
  /** As it is in the document. */
  entry: Json;
  text: string;
  /** The piece of the document that it is in. */
  memoryId: string;
}

/**
 * Returns the values at the places that a binding maps to facts, in order. Leaves out what is no text, what is so long that it is cut
 * into several pieces, and repetitions within a list.
 */
export function shownValues(
  caller: Pick<Caller, 'tenantId' | 'userId'>,
  place: DocumentPlace,
  { factRules, template }: Pick<Binding, 'factRules' | 'template'>,
  body: Pick<DocumentBody, 'content'>,
): ShownValue[] {
  const variables = template.match(place.path) ?? {};
  const shown = new Map<string, ShownValue>();
  for (const rule of factRules) {
    const subject = rule.subject.fill(variables) ?? rule.subject.text;
    for (const { entry, index } of entriesAt(body, rule)) {
      const text = textOf(entry).trim();
      const memoryId = pieceOf(caller, place, rule, entry);
      if (text === '' || text.length > maxPieceLength || shown.has(memoryId)) continue;
      shown.set(memoryId, { rule, subject, index, entry, text, memoryId });
    }
  }
  return [...shown.values()];
}

function entriesAt(
  body: Pick<DocumentBody, 'content'>,
  { segments }: FactRule,
): { entry: Json; index: number | null }[] {
  const found = getAt({ content: body.content }, segments);
  if (Array.isArray(found)) return found.map((entry, index) => ({ entry, index }));
  return found === undefined ? [] : [{ entry: found, index: null }];
}

function pieceOf(
  caller: Pick<Caller, 'tenantId' | 'userId'>,
  place: DocumentPlace,
  { segments }: FactRule,
  entry: Json,
): string {
  const pointer = formatPointer(segments);
  const piece = { place: { segments, pointer }, text: elementText(entry, () => false), repetition: 0 };
  return pieceId(caller, place, piece);
}
