import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import { documentOfPiece } from '../document-pieces/piece-memory.js';
import type { Engine } from '../engine.js';
import { findBlockedIn, withoutSecrets } from '../guard-models.js';
import { captionOf } from '../resources/resource-chunks.js';
import { inWorkspace } from '../tier-path.js';
import { isReadableInTier } from '../tiers/guard-released.js';
import { tierKind } from '../tiers/tier-place.js';
import { type AnyRecalled, Chosen } from './chosen.js';
import type { Judged } from './judge.js';
import type { Member } from './member.js';

export type { AnyRecalled } from './chosen.js';

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
  find: (limit: number) => Promise<readonly Judged[]>,
): Promise<AnyRecalled[]> {
  const workspace = inWorkspace<Caller>(member, member.tiers.workspaceId);
  const chosen = new Chosen(member, limit);
  const isShown = async ({ memory }: Judged) => !(forModel && (await isBlocked(engine, member, workspace, memory)));
  // Planting many blocked memories or copies must not crowd out the rest.
  for (let wanted = limit + spare; ; wanted *= furtherEachTime) {
    const found = await find(wanted);
    const good = found.filter(({ score }) => score >= minScore);
    for (const one of good) if (chosen.isNew(one) && (await isShown(one))) chosen.add(one);
    const isAll = good.length < wanted || wanted > furthest;
    if (chosen.isFull || isAll) return forModel ? cleaned(engine, chosen.results) : chosen.results;
  }
}

/** Some surfaces store secrets as they are given. A model does not get to read them. */
async function cleaned(engine: Engine, results: readonly AnyRecalled[]): Promise<AnyRecalled[]> {
  const shown: AnyRecalled[] = [];
  for (const one of results) {
    const content = await withoutSecrets(engine, one.memory.content);
    shown.push({ ...one, memory: { ...one.memory, content } });
  }
  return shown;
}

/** What may be shown with the memory is checked too: its cue, such as the headings of a file, and the names in its origin. */
async function isBlocked(engine: Engine, caller: Caller, workspace: Caller, memory: Memory): Promise<boolean> {
  const { id, content, cue, kind } = memory;
  if (kind === tierKind) return !(await isReadableInTier(engine, workspace, memory));
  const document = documentOfPiece(memory);
  const shown = [content, cue, captionOf(memory)?.title, document?.path, document?.pointer];
  const texts = shown.filter((text) => typeof text === 'string');
  return (await findBlockedIn(engine, caller, id, texts)) !== undefined;
}
