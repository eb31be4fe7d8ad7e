import { redact } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import { documentOfPiece } from '../document-pieces/piece-memory.js';
import type { Engine } from '../engine.js';
import { findBlocked } from '../guard-models.js';
import type { Recalled } from '../memories/recall/recall.js';
import { captionOf } from '../resources/resource-chunks.js';
import { inWorkspace } from '../tier-path.js';
import { isReadableInTier } from '../tiers/guard-released.js';
import { tierKind } from '../tiers/tier-place.js';
import { type CopyReason, copyReason, isDerived } from './copies.js';
import type { Member } from './member.js';
import { isOwn } from './reading.js';

export interface AnyRecalled extends Recalled {
  /** Whether these are the user's own words or data, and not somebody else's. */
  isOwn: boolean;
  /** Further stored copies of the statement, by the same author. */
  also: readonly { id: string; reason: CopyReason }[];
}

export interface Choice {
  limit: number;
  /** 0 … 1. */
  minScore?: number | undefined;
  /** A model will read the results: those it must not read are left out and reported. */
  forModel?: boolean | undefined;
}

/** Fetched in addition to the limit, because some results turn out to be copies. */
const spare = 5;
const furtherEachTime = 4;
/** More than the number of chunks of the largest hostile file. */
const furthest = 20_000;

/**
 * Chooses what to show of the memories that `find` returns, best first. Several copies of one statement by the same author are one
 * result: the best one, or an authored one instead of one that was derived.
 */
export async function chooseShown(
  engine: Engine,
  member: Member,
  { limit, minScore = 0, forModel = false }: Choice,
  find: (limit: number) => Promise<readonly Recalled[]>,
): Promise<AnyRecalled[]> {
  const workspace = inWorkspace<Caller>(member, member.tiers.workspaceId);
  const chosen = new Chosen(member, limit);
  const isShown = async ({ memory }: Recalled) => !(forModel && (await isBlocked(engine, member, workspace, memory)));
  // Planting many blocked memories or copies must not crowd out the rest.
  for (let wanted = limit + spare; ; wanted *= furtherEachTime) {
    const found = await find(wanted);
    const good = found.filter(({ score }) => score >= minScore);
    for (const one of good) if (chosen.isNew(one) && (await isShown(one))) chosen.add(one);
    const isAll = good.length < wanted || wanted > furthest;
    if (chosen.isFull || isAll) return forModel ? chosen.results.map(withoutSecrets) : chosen.results;
  }
}

/** Some surfaces store secrets as they are given. A model does not get to read them. */
function withoutSecrets(one: AnyRecalled): AnyRecalled {
  return { ...one, memory: { ...one.memory, content: redact(one.memory.content).text } };
}

class Chosen {
  readonly results: AnyRecalled[] = [];
  readonly #seen = new Set<string>();
  readonly #member: Member;
  readonly #limit: number;

  constructor(member: Member, limit: number) {
    this.#member = member;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.results.length >= this.#limit;
  }

  /** Returns false for a memory that was already looked at. */
  isNew({ memory }: Recalled): boolean {
    if (this.#seen.has(memory.id)) return false;
    this.#seen.add(memory.id);
    return true;
  }

  add(one: Recalled): void {
    const own = isOwn(this.#member, one.memory);
    for (const [place, shown] of this.results.entries()) {
      if (shown.isOwn !== own || !isSameAuthor(shown, one, own)) continue;
      const reason = copyReason(shown.memory, one.memory);
      if (reason === undefined) continue;
      this.results[place] = merge(shown, one, reason);
      return;
    }
    if (!this.isFull) this.results.push({ ...one, isOwn: own, also: [] });
  }
}

/** What the user owns is the user's, whichever service stored it. */
function isSameAuthor(one: Recalled, other: Recalled, own: boolean): boolean {
  return own || one.memory.author === other.memory.author;
}

function merge(shown: AnyRecalled, copy: Recalled, reason: CopyReason): AnyRecalled {
  const isBetter = reason === 'same statement' && isDerived(shown.memory) && !isDerived(copy.memory);
  if (!isBetter) return { ...shown, also: [...shown.also, { id: copy.memory.id, reason }] };
  return { ...shown, memory: copy.memory, also: [{ id: shown.memory.id, reason }, ...shown.also] };
}

/** What may be shown with the memory is checked too: its cue, such as the headings of a file, and the names in its origin. */
async function isBlocked(engine: Engine, caller: Caller, workspace: Caller, memory: Memory): Promise<boolean> {
  const { id, content, cue, kind } = memory;
  if (kind === tierKind) return !(await isReadableInTier(engine, workspace, memory));
  const document = documentOfPiece(memory);
  const shown = [content, cue, captionOf(memory)?.title, document?.path, document?.pointer];
  return (
    findBlocked(
      engine,
      caller,
      id,
      shown.filter((text) => typeof text === 'string'),
    ) !== undefined
  );
}
