import type { MemoryFilter } from '../../ports/memories.js';
import { pieceKind } from '../document-pieces/piece-memory.js';
import type { Engine } from '../engine.js';
import { memoryKinds } from '../memories/kinds.js';
import type { WantedTruth } from '../memories/recall/truth-query.js';
import { fileNamespace } from '../memory-files/memory-file-profile.js';
import type { FoundEverywhere } from '../one-memory/add-outside.js';
import { fitTokens } from '../one-memory/fit-tokens.js';
import type { Member } from '../one-memory/member.js';
import { recallEverywhere } from '../one-memory/recall-everywhere.js';

/** Documents are part of the context as they are, except files of agents, which no profile names. */
const filter: MemoryFilter = {
  anyOf: [
    { kinds: Object.keys(memoryKinds).filter((kind) => kind !== pieceKind) },
    { kinds: [pieceKind], metadata: { namespace: fileNamespace } },
  ],
};
const mostMemories = 50;

/**
 * Returns what the memory knows about a query besides the documents, for a model to read: what the user owns or wrote, and the
 * notes of the workspace.
 */
export async function contextMemories(
  engine: Engine,
  member: Member,
  { query, tokenBudget, asOf, knownAt }: Pick<WantedTruth, 'asOf' | 'knownAt'> & { query: string; tokenBudget: number },
): Promise<FoundEverywhere> {
  const found = await recallEverywhere(engine, member, {
    text: query,
    scopes: ['own'],
    allNotes: true,
    filter,
    limit: mostMemories,
    forModel: true,
    asOf,
    knownAt,
  });
  return { ...found, results: fitTokens(found.results, tokenBudget) };
}
