import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Caller } from '../caller.js';
import type { Profile } from '../documents/profile.js';
import type { Language } from '../memories/analysis/language.js';
import { givenText, type NewMemory } from '../memories/new-memory.js';
import { type ReadText, readTexts } from '../memories/read-texts.js';
import type { ContentTask } from '../read-long.js';
import { type CutRules, cutDocument } from './cut-document.js';
import { pieceId, toPieceInput } from './piece-memory.js';

interface PiecesToRead {
  owner: Pick<Caller, 'tenantId' | 'userId'>;
  place: DocumentPlace;
  body: Pick<DocumentBody, 'schema_id' | 'content'>;
  rules: CutRules;
  sections: Profile['sections'] | undefined;
  language: Language;
  /** Ids of pieces that are stored already. */
  known: ReadonlySet<string>;
  /** The version of the document, and the versions in which pieces first appeared, by their ids. */
  version: number;
  versions: ReadonlyMap<string, number>;
}

interface ReadPieces {
  /** Ids of all pieces. */
  wanted: string[];
  /** Those that are not stored yet. */
  fresh: { id: string; input: NewMemory; read: ReadText }[];
}

/** Cuts a document, and reads those of its pieces that are not stored yet. */
export function readPieces(reading: PiecesToRead): ReadPieces {
  const { owner, place, body, rules, sections, language, known, version, versions } = reading;
  const pieces = cutDocument(body, rules).map((piece) => ({ id: pieceId(owner, place, piece), piece }));
  const fresh = pieces.flatMap(({ id, piece }) => {
    if (known.has(id)) return [];
    const context = { version: versions.get(id) ?? version, sections, also: rules.also };
    const input = toPieceInput(owner, place, piece, context);
    const [read] = readTexts({ texts: [givenText(input)], also: rules.also, language });
    return read === undefined ? [] : [{ id, input, read }];
  });
  return { wanted: pieces.map(({ id }) => id), fresh };
}

export const readPiecesTask: ContentTask<PiecesToRead, ReadPieces> = { module: import.meta.url, run: readPieces };
