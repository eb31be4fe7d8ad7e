import type { ChatPlace } from '../../ports/episodes.js';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import { documentOfPiece } from '../document-pieces/piece-memory.js';
import type { Engine } from '../engine.js';
import { findBlocked } from '../guard-models.js';
import { isInChat, toChatFilter } from '../memories/chat-columns.js';
import { kindOfMemory } from '../memories/kinds.js';
import { type Recalled, type RecallInput, recall } from '../memories/recall/recall.js';
import { captionOf, resourceKind } from '../resources/resource-chunks.js';
import { inWorkspace } from '../tier-path.js';
import { isReadableInTier } from '../tiers/guard-released.js';
import { tierKind } from '../tiers/tier-place.js';

/**
 * Scopes that a model talking to a user may search. None of them contains public memories or memories of namespaces.
 */
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

interface ScopedRecall extends Recalled {
  scope: RecallScope;
}

const furtherEachTime = 4;
/** More than the number of chunks of the largest hostile file. */
const furthest = 20_000;

/** Recalled in addition to twice the limit: a message may have a digest and a fact that restate it. */
const restatements = 2;

/**
 * Returns the user's best matching memories of the wanted scopes, for a model to read. Blocked memories are left out
 * and reported. Memories derived from a message with the same text are left out if the message is among the results.
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
  // Some results are left out, so more are fetched: planting many blocked memories must not crowd out the rest.
  const reader = { ...caller, workspaceId: caller.userId };
  const scope = { own: true, workspace: input.scopes.includes('all_user_memory') };
  for (let limit = 2 * input.limit + restatements; ; limit *= furtherEachTime) {
    const found = await recall(engine, reader, { text, scope, filter, limit, arms });
    const metBlocked = await choose(engine, caller, found, input, chosen);
    const isEnough = chosen.shown.length === input.limit || (found.at(-1)?.score ?? 0) < input.minScore;
    if (!metBlocked || isEnough || found.length < limit || limit > furthest) return chosen.shown;
  }
}

interface Chosen {
  shown: ScopedRecall[];
  /** Ids of memories that were already examined. */
  seen: Set<string>;
}

/** Adds results to `chosen`. Returns whether any was blocked. */
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
    else show({ ...one, scope: scopeFor(one.memory, input) }, shown);
  }
  return metBlocked;
}

/** Returns undefined if the scope is empty. */
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

/** What may be shown with the memory is checked too: its cue, such as the headings of a file, and the names in its origin. */
async function isBlocked(engine: Engine, caller: Caller, memory: Memory): Promise<boolean> {
  const { id, content, cue, kind } = memory;
  if (kind === tierKind) return !(await isReadableInTier(engine, inWorkspace(caller, caller.userId), memory));
  const origin = documentOfPiece(memory);
  const shown = [content, cue, captionOf(memory)?.title, origin?.path, origin?.pointer].filter(
    (text) => typeof text === 'string',
  );
  return findBlocked(engine, caller, id, shown) !== undefined;
}

/** Adds a result. A restatement is not shown next to what it restates, whichever was found first. */
function show(one: ScopedRecall, shown: ScopedRecall[]): void {
  const same = shown.findIndex(({ memory }) => memory.content === one.memory.content);
  const other = shown[same];
  if (other === undefined || !(isRestatement(one) || isRestatement(other))) shown.push(one);
  else if (!isRestatement(one)) shown[same] = { ...one, score: other.score };
}

function isRestatement({ memory }: ScopedRecall): boolean {
  return kindOfMemory(memory.kind)?.restatesMessages === true;
}
