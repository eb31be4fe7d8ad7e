import type { ChatPlace } from '../../ports/episodes.js';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { findBlocked } from '../guard-models.js';
import { isInChat, toChatFilter } from '../memories/chat-columns.js';
import { kindOfMemory } from '../memories/kinds.js';
import { type Recalled, type RecallInput, recall } from '../memories/recall/recall.js';
import { resourceKind } from '../resources/resource-chunks.js';
import { isReadableInTier } from '../tiers/guard-released.js';
import { tierKind } from '../tiers/tier-place.js';

/** What a model that talks to a user may ask for. Public memories and those of namespaces are in none of them. */
export const recallScopes = ['current_chat', 'resources', 'all_user_memory'] as const;
export type RecallScope = (typeof recallScopes)[number];

interface ScopedRecallInput {
  text: string;
  /** In order: a result belongs to the first that it fits. */
  scopes: readonly RecallScope[];
  /** The chat that is going on; undefined: none is. */
  chat: ChatPlace | undefined;
  arms: RecallInput['arms'];
  filter: MemoryFilter;
  limit: number;
  /** 0 … 1. */
  minScore: number;
}

interface ScopedRecall extends Recalled {
  scope: RecallScope;
}

const furtherEachTime = 4;
/** More than a hostile file of the greatest size is cut into. */
const furthest = 20_000;

/** Recalled in addition to twice the limit: a message may have a digest and a fact that restate it. */
const restatements = 2;

/**
 * The user's memories of the wanted scopes that fit best, for a model to read: what the scanner objects to is left out and
 * reported. What is concluded from a message and says the same is left out as well where the message is there.
 */
export async function recallInScopes(
  engine: Engine,
  caller: Caller,
  input: ScopedRecallInput,
): Promise<ScopedRecall[]> {
  const filters = input.scopes.flatMap((scope) => filterOf(scope, input.chat) ?? []);
  if (filters.length === 0) return [];
  const filter = input.scopes.includes('all_user_memory') ? input.filter : { ...input.filter, anyOf: filters };
  const { text, arms } = input;
  const chosen: Chosen = { shown: [], seen: new Set() };
  // Some are left out. Whoever plants many that are blocked must not crowd out the rest.
  for (let limit = 2 * input.limit + restatements; ; limit *= furtherEachTime) {
    const found = await recall(engine, caller, { text, scope: { own: true }, filter, limit, arms });
    const metBlocked = await choose(engine, caller, found, input, chosen);
    const isEnough = chosen.shown.length === input.limit || (found.at(-1)?.score ?? 0) < input.minScore;
    if (!metBlocked || isEnough || found.length < limit || limit > furthest) return chosen.shown;
  }
}

interface Chosen {
  shown: ScopedRecall[];
  /** Ids of those that were looked at before. */
  seen: Set<string>;
}

/** Adds to `chosen`. Answers whether any was blocked. */
async function choose(
  engine: Engine,
  caller: Caller,
  found: readonly Recalled[],
  input: ScopedRecallInput,
  { shown, seen }: Chosen,
): Promise<boolean> {
  let metBlocked = false;
  for (const one of found) {
    if (shown.length === input.limit || one.score < input.minScore) break;
    if (seen.has(one.memory.id)) continue;
    seen.add(one.memory.id);
    if (await isBlocked(engine, caller, one.memory)) metBlocked = true;
    else if (!isSaidAlready(one.memory, shown)) shown.push({ ...one, scope: scopeFor(one.memory, input) });
  }
  return metBlocked;
}

/** undefined: nothing can be in it. */
function filterOf(scope: RecallScope, chat: ChatPlace | undefined): MemoryFilter | undefined {
  if (scope === 'all_user_memory') return {};
  if (scope === 'resources') return { kinds: [resourceKind] };
  return chat && toChatFilter(chat);
}

function scopeFor(memory: Memory, { scopes, chat }: ScopedRecallInput): RecallScope {
  return scopes.find((scope) => isIn(memory, scope, chat)) ?? 'all_user_memory';
}

function isIn(memory: Memory, scope: RecallScope, chat: ChatPlace | undefined): boolean {
  if (scope === 'all_user_memory') return true;
  if (scope === 'resources') return memory.kind === resourceKind;
  return chat !== undefined && isInChat(memory, chat);
}

/** What it is found by may be shown beside it, such as the title of a file. */
async function isBlocked(engine: Engine, caller: Caller, memory: Memory): Promise<boolean> {
  const { id, content, cue, kind } = memory;
  if (kind === tierKind) return !(await isReadableInTier(engine, caller, memory));
  return findBlocked(engine, caller, id, cue === null ? [content] : [content, cue]) !== undefined;
}

function isSaidAlready({ kind, content }: Memory, shown: readonly ScopedRecall[]): boolean {
  return kindOfMemory(kind)?.restatesMessages === true && shown.some(({ memory }) => memory.content === content);
}
