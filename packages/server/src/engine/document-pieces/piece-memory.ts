import { hash } from 'node:crypto';
import { formatPointer, type OptionalLabel, redactValues } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { DocumentWriter } from '../documents/document-record.js';
import type { Profile } from '../documents/profile.js';
import type { MemoryKind } from '../memories/kinds.js';
import type { NewMemory } from '../memories/new-memory.js';
import type { DocumentPiece } from './cut-document.js';
import { wordsOf } from './words-of.js';

/** Kind of the memories that are pieces of governed documents. */
export const pieceKind = 'document' satisfies MemoryKind;

const maxCueLength = 200;

/** The version of a document in which a piece first appeared. */
export interface FirstWritten {
  at: Date;
  version: number;
  /** Who wrote that version; undefined if no record says so. */
  writer: DocumentWriter | undefined;
}

/**
 * Returns the id of a piece. It depends on place and text alone: an element keeps its id while others come and go, and a piece
 * that is derived again is the same memory.
 */
export function pieceId(
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  { namespace, path }: DocumentPlace,
  { place, text, headings, repetition }: DocumentPiece,
): string {
  const named = headings === undefined ? place.pointer : `${place.pointer}\n${headings}`;
  const name = `${tenantId}\n${userId}\n${namespace}\n${path}\n${named}\n${repetition}\n${text}`;
  const hex = hash('sha256', name);
  // UUID version 8 (RFC 9562): bits of our own choice.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the start of the external ids of a document's pieces. The rest is the id of the piece. */
export function piecePrefix({ namespace, path }: DocumentPlace): string {
  return `${hash('sha256', `${namespace}\n${path}`, 'base64url').slice(0, 22)}#`;
}

interface PieceContext {
  /** The version in which it first appeared. */
  version: number;
  sections?: Profile['sections'] | undefined;
  /** What the tenant wants redacted in addition to secrets. */
  also: readonly OptionalLabel[];
}

/** Returns what is stored of a piece. Secrets are removed, whether or not the document's binding demands it. */
export function toPieceInput(
  owner: Pick<Caller, 'tenantId' | 'userId'>,
  place: DocumentPlace,
  piece: DocumentPiece,
  { version, sections = {}, also }: PieceContext,
): NewMemory {
  const { segments, pointer } = piece.place;
  const section = Object.entries(sections).find(([, role]) => formatPointer(role ?? []) === pointer)?.[0];
  const id = pieceId(owner, place, piece);
  const cue = piece.headings === undefined ? cueOf(place, segments.slice(1)) : cueOf(place, [piece.headings]);
  return {
    kind: pieceKind,
    id,
    externalId: `${piecePrefix(place)}${id}`,
    content: redactValues(piece.text, segments.at(-1), also).value,
    cue: cue === '' ? undefined : cue,
    metadata: {
      namespace: place.namespace,
      path: place.path,
      pointer,
      version,
      ...(section === undefined ? {} : { section }),
    },
  };
}

/** Returns the words of the document's name and of the way to the piece: names of members, or headings. */
function cueOf({ path }: DocumentPlace, way: readonly string[]): string {
  const name = path.replace(/\.[^./]+$/, '');
  const words = [name, ...way].flatMap(wordsOf);
  return [...new Set(words)]
    .join(' ')
    .slice(0, maxCueLength)
    .trim()
    .replace(/[\ud800-\udbff]$/, '');
}

/** The place in a document that a memory was made from. */
interface PieceDocument extends DocumentPlace {
  /** JSON Pointer to a string, or to the list that the element is in. */
  pointer: string;
  /** The version in which it first appeared. */
  version: number;
}

/** Returns undefined if the memory is not a piece of a document. */
export function documentOfPiece({ kind, metadata }: Pick<Memory, 'kind' | 'metadata'>): PieceDocument | undefined {
  if (kind !== pieceKind) return undefined;
  const { namespace, path, pointer, version } = metadata;
  // Programs that embed Memhall may have memories of a kind with this name.
  if (typeof namespace !== 'string' || typeof path !== 'string' || typeof pointer !== 'string') return undefined;
  return { namespace, path, pointer, version: Number(version) };
}
