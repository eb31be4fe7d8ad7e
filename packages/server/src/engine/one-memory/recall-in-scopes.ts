import type { ChatPlace } from '../../ports/episodes.js';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { isInChat, toChatFilter } from '../memories/chat-columns.js';
import type { RecallInput } from '../memories/recall/search-scope.js';
import { resourceKind } from '../resources/resource-chunks.js';
import type { FoundEverywhere } from './add-outside.js';
import { toMember } from './member.js';
import { noClaims } from './namespace-grants.js';
import type { AnyRecalled } from './recall-any.js';
import { recallEverywhere } from './recall-everywhere.js';

/** Scopes that a model talking to a user may search. None of them contains what others wrote. */
export const recallScopes = ['current_chat', 'resources', 'all_user_memory'] as const;
export type RecallScope = (typeof recallScopes)[number];

interface ScopedRecallInput {
  text: string;
  /** In order: a result belongs to the first scope it matches. */
  scopes: readonly RecallScope[];
  /** The current chat; undefined if there is none. */
  chat: ChatPlace | undefined;
  arms: RecallInput['arms'];
  filter: MemoryFilter;
  limit: number;
  /** 0 … 1. */
  minScore: number;
}

interface ScopedRecall extends AnyRecalled {
  scope: RecallScope;
}

/**
 * Returns the user's best matching memories of the wanted scopes, for a model to read. The user's workspace is the one named
 * after the user.
 */
export async function recallInScopes(
  engine: Engine,
  caller: Caller,
  { scopes, chat, filter, ...query }: ScopedRecallInput,
): Promise<Omit<FoundEverywhere, 'results'> & { results: ScopedRecall[] }> {
  const filters = scopes.flatMap((scope) => filterOf(scope, chat) ?? []);
  if (filters.length === 0) return { results: [], isIncomplete: false, omitted: 0 };
  const found = await recallEverywhere(engine, toMember(caller, noClaims), {
    ...query,
    scopes: ['own'],
    filter: scopes.includes('all_user_memory') ? filter : { ...filter, anyOf: filters },
    forModel: true,
  });
  const results = found.results.map((one) => ({ ...one, scope: scopeFor(one.memory, scopes, chat) }));
  return { ...found, results };
}

/** Returns undefined if the scope is empty. */
function filterOf(scope: RecallScope, chat: ChatPlace | undefined): MemoryFilter | undefined {
  if (scope === 'all_user_memory') return {};
  if (scope === 'resources') return { kinds: [resourceKind] };
  return chat && toChatFilter(chat);
}

function scopeFor(memory: Memory, scopes: readonly RecallScope[], chat: ChatPlace | undefined): RecallScope {
  return scopes.find((scope) => isIn(memory, scope, chat)) ?? 'all_user_memory';
}

function isIn(memory: Memory, scope: RecallScope, chat: ChatPlace | undefined): boolean {
  if (scope === 'all_user_memory') return true;
  if (scope === 'resources') return memory.kind === resourceKind;
  return chat !== undefined && isInChat(memory, chat);
}
