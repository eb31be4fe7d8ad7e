import { pieceKind } from '../document-pieces/piece-memory.js';
import type { Engine } from '../engine.js';
import { memoryKinds } from '../memories/kinds.js';
import { fitTokens } from '../one-memory/fit-tokens.js';
import type { Member } from '../one-memory/member.js';
import { type AnyRecalled, recallAny } from '../one-memory/recall-any.js';

/** Documents are part of the context as they are. */
const kinds = Object.keys(memoryKinds).filter((kind) => kind !== pieceKind);
const mostMemories = 50;

/**
 * Returns what the memory knows about a query besides the documents, for a model to read: what the user owns or wrote, and the
 * notes of the workspace.
 */
export async function contextMemories(
  engine: Engine,
  member: Member,
  { query, tokenBudget }: { query: string; tokenBudget: number },
): Promise<readonly AnyRecalled[]> {
  const found = await recallAny(engine, member, {
    text: query,
    scopes: ['own'],
    allNotes: true,
    filter: { kinds },
    limit: mostMemories,
    forModel: true,
  });
  return fitTokens(found, tokenBudget);
}
