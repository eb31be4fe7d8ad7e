import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { SearchForm } from '../../ports/memories.js';
import type { Mutation } from '../audit/audit-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Addition, DocumentFollower, DocumentWatcher } from '../documents/document-watcher.js';
import type { Engine } from '../engine.js';
import { searchText } from '../memories/analysis/to-search-form.js';
import { embedNow } from '../memories/embed-now.js';
import { givenText } from '../memories/new-memory.js';
import { redactByKind } from '../memories/redact-by-kind.js';
import { isLong } from '../read-long.js';
import { toText } from '../text-lines.js';
import { tierNamespace } from '../tier-path.js';
import { catchUpPieces } from './catch-up-pieces.js';
import { type CutRules, cutText, cutValue, type DocumentPiece } from './cut-document.js';
import { pieceKind, piecePrefix, toPieceInput } from './piece-memory.js';
import { knownPieces, movePieces, storePieces } from './store-pieces.js';

/** A write that adds more pieces than this leaves their vectors to the background job. */
const embedAtOnce = 32;

const ignoring: DocumentFollower = {
  look: async () => ({ isKnown: false, follow: async () => [] }),
  finish: () => undefined,
};

/**
 * Makes the pieces of documents memories that recall finds. Texts of tiers have pieces of their own, which are scanned before
 * they are stored.
 */
export const pieceWatcher: DocumentWatcher = {
  async prepare(engine, caller, place, additions) {
    if (place.namespace === tierNamespace) return ignoring;
    const language = await engine.tenants.language(scopeOf(caller));
    const also = await engine.tenants.alsoRedacted(scopeOf(caller));
    const vectors = await embedAdditions(engine, caller, place, { additions, also });
    let waits = false;
    return {
      async look(tables) {
        const [known, cited] = await Promise.all([
          knownPieces(tables, caller, place),
          tables.facts.evidenceUnder({ kind: 'user', userId: caller.userId }, pieceKind, piecePrefix(place)),
        ]);
        return {
          isKnown: known.size > 0,
          async follow(change, now, slow) {
            const moved = await movePieces(tables, caller, change, also);
            const stored = storePieces(engine, tables, change, {
              caller,
              place,
              known,
              language,
              also,
              vectors,
              moved,
              now,
              slow,
            });
            waits = stored.waits;
            const { document, rules, reason, writer } = change;
            const lost = cited.filter((id) => stored.gone.includes(id));
            const told = { document, rules, reason, added: stored.added, lost, now, slow };
            const mutations: Mutation[] = [];
            for (const watcher of engine.pieceWatchers) {
              mutations.push(...(await watcher.follow(engine, tables, { ...caller, ...writer }, told)));
            }
            return mutations;
          },
        };
      },
      finish() {
        if (waits && engine.embedder !== null) engine.onUnembedded(caller.tenantId);
      },
    };
  },
  async catchUp(engine, caller, place) {
    if (place.namespace !== tierNamespace) await catchUpPieces(engine, caller, place);
  },
};

/** A value inside an element of a list changes the text of the whole element, which is not known here: it is embedded later. */
async function embedAdditions(
  engine: Engine,
  caller: Caller,
  place: DocumentPlace,
  { additions, also }: { additions: readonly Addition[]; also: CutRules['also'] },
): Promise<Map<string, NonNullable<SearchForm['embedding']>>> {
  const { embedder } = engine;
  if (embedder === null || !embedder.local) return new Map();
  if (isLong(JSON.stringify(additions).length)) return new Map();
  const pieces = additions.flatMap((addition) => cutAddition(addition, also));
  if (pieces.length === 0 || pieces.length > embedAtOnce) return new Map();
  const texts = [
    ...new Set(
      pieces.map((piece) => {
        const given = givenText(toPieceInput(caller, place, piece, { version: 1, also }));
        return searchText(redactByKind(pieceKind, given, also).text);
      }),
    ),
  ];
  const computed = (await embedNow(engine, texts)) ?? [];
  return new Map(computed.map((vector, index) => [texts[index] ?? '', { model: embedder.model, vector }]));
}

function cutAddition({ segments, value, before, isText = false }: Addition, also: CutRules['also']): DocumentPiece[] {
  const cut = (given: Addition['value']) =>
    isText ? cutText(toText({ lines: given }), { also }) : cutValue(segments, given, { denied: [], also });
  if (before === undefined) return cut(value);
  const nameOf = ({ headings = '', text }: DocumentPiece) => `${headings}\n${text}`;
  const known = new Set(cut(before).map(nameOf));
  return cut(value).filter((piece) => !known.has(nameOf(piece)));
}
