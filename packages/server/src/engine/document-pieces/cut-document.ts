import {
  describeFault,
  formatPointer,
  type Json,
  type OptionalLabel,
  redactValues,
  splitText,
  startsWithSegments,
} from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import { textSchemaId, toText } from '../text-lines.js';
import { cutMarkdown, type TextBlock } from './cut-markdown.js';
import { elementText, isBookkeeping } from './element-text.js';

/** Maximum length of a piece in characters, as for tiers: a piece is shown whole and its vector stands for a few sentences. */
export const maxPieceLength = 500;
/** Enough to cut the largest document, of 1,000,000 characters, into pieces of that length. Further pieces are left out. */
export const maxPieces = 2000;
/** Structures below this depth are left out. */
const maxDepth = 32;

export interface DocumentPiece {
  /**
   * The place of the string, or of the list that the element is in. Not of the element: its position changes whenever another
   * one is inserted before it.
   */
  place: PiecePlace;
  text: string;
  /** The headings that a piece of a text is under. */
  headings?: string | undefined;
  /** Number of earlier pieces with the same place, headings and text. */
  repetition: number;
}

interface PiecePlace {
  /** From the root of the document's body. */
  segments: readonly string[];
  /** The same as a JSON Pointer. */
  pointer: string;
}

type Denied = readonly (readonly string[])[];

/** What a document is cut by: places that are left out, and what the tenant wants redacted in addition to secrets. */
export interface CutRules {
  denied: Denied;
  also: readonly OptionalLabel[];
}

/**
 * Returns what recall finds of a document: each element of a list and each string outside of lists, in order. Leaves out denied
 * places, bookkeeping, and numbers and booleans outside of lists, which say nothing without their surroundings. Of a text it finds the
 * paragraphs and list items.
 */
export function cutDocument({ schema_id, content }: CutBody, rules: CutRules): DocumentPiece[] {
  return schema_id === textSchemaId ? cutText(toText(content), rules) : cutValue(['content'], content, rules);
}

type CutBody = Pick<DocumentBody, 'content'> & Partial<Pick<DocumentBody, 'schema_id'>>;

/** Does the same for a text in Markdown. */
export function cutText(text: string, { also }: Pick<CutRules, 'also'>): DocumentPiece[] {
  const pieces: DocumentPiece[] = [];
  addTexts(pieces, ['content', 'lines'], cutMarkdown(text), also);
  return pieces;
}

/** Does the same for a value at a place of a document. */
export function cutValue(segments: readonly string[], value: Json, rules: CutRules): DocumentPiece[] {
  const pieces: DocumentPiece[] = [];
  visit(pieces, segments, value, rules);
  return pieces;
}

function visit(pieces: DocumentPiece[], segments: readonly string[], value: Json, rules: CutRules): void {
  const { denied, also } = rules;
  if (value === null || segments.length > maxDepth || isDenied(denied, segments)) return;
  if (typeof value === 'string' || Array.isArray(value)) {
    const texts = typeof value === 'string' ? [value.trim()] : elementTexts(segments, value, denied);
    addTexts(pieces, segments, withoutHeadings(texts), also);
  } else if (typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      if (!isBookkeeping(name)) visit(pieces, [...segments, name], member, rules);
    }
  }
}

function* elementTexts(segments: readonly string[], elements: readonly Json[], denied: Denied): Generator<string> {
  for (const [index, element] of elements.entries()) {
    if (denied.length === 0) yield elementText(element, () => false);
    else {
      const place = [...segments, String(index)];
      if (!isDenied(denied, place)) yield elementText(element, (within) => isDenied(denied, [...place, ...within]));
    }
  }
}

function* withoutHeadings(texts: Iterable<string>): Generator<TextBlock> {
  for (const text of texts) yield { text };
}

function isDenied(denied: Denied, segments: readonly string[]): boolean {
  return denied.length > 0 && denied.some((place) => startsWithSegments(place, segments));
}

function addTexts(
  pieces: DocumentPiece[],
  segments: readonly string[],
  blocks: Iterable<TextBlock>,
  also: CutRules['also'],
): void {
  const place = { segments, pointer: formatPointer(segments) };
  const seen = new Map<string, number>();
  for (const { text, headings } of blocks) {
    if (!/[\p{L}\p{N}]/u.test(text) || describeFault(text) !== undefined) continue;
    for (const part of partsOf(segments, text, also)) {
      if (pieces.length >= maxPieces) return;
      const name = `${headings ?? ''}\n${part}`;
      const repetition = seen.get(name) ?? 0;
      seen.set(name, repetition + 1);
      pieces.push({ place, text: part, ...(headings === undefined ? {} : { headings }), repetition });
    }
  }
}

/** A secret that is cut in two is no longer recognized, so the secrets of a long text are removed before it is cut. */
function partsOf(segments: readonly string[], text: string, also: CutRules['also']): string[] {
  if (text.length <= maxPieceLength) return [text];
  return splitText(redactValues(text, segments.at(-1), also).value, maxPieceLength);
}
