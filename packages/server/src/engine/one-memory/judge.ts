import { redact } from '@memhall/core';
import type { Fact, FactState } from '../../ports/facts.js';
import { type MemoryMark, neverTrue } from '../../ports/memory-marks.js';
import type { Trust } from '../../ports/memory-origin.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { findBlocked } from '../guard-models.js';
import type { Recalled } from '../memories/recall/recalled.js';
import { isOver } from '../memories/recall/truth-query.js';

/** What contradicts a memory, and is trusted more: a fact, or the statement of another memory. */
interface Dispute {
  factId?: string;
  text: string;
  trust: Trust;
  /** Memories that say so and that the caller may read. */
  memoryIds: readonly string[];
}

/** What the user's facts say about a memory. */
export interface Truth {
  /** False if nothing is true any more that it says. */
  isCurrent: boolean;
  /** Since when it is over, or a part of it; null if it was never true. Undefined if nothing is over. */
  since?: Date | null;
  /** What took its place: the memory that says so or, if the caller can read none, the fact. */
  supersededBy?: string;
  disputes: readonly Dispute[];
}

export interface Judged extends Recalled {
  /** Undefined if facts say nothing against it. */
  truth?: Truth;
  /** Of a memory that is over: those that say what is true instead. The caller may read them. */
  successors?: readonly string[];
  /** Memories that match and are no longer true, in whose place it is shown. */
  standsFor?: readonly string[];
  /** The memory whose score and explanation it has: one that it stands for, or that it contradicts. Undefined if they are its own. */
  scoredAs?: string;
}

interface Times {
  asOf?: Date | undefined;
  knownAt?: Date | undefined;
  /** A model will read what the facts say. */
  forModel?: boolean | undefined;
}

/** Adds what the user's facts say to the memories that have a mark. Reads nothing if none has. */
export async function judge(
  engine: Engine,
  reader: Caller,
  found: readonly Recalled[],
  { knownAt, asOf = knownAt, forModel = false }: Times,
): Promise<Judged[]> {
  const now = engine.clock.now();
  const at = (asOf ?? now).getTime();
  const named = found.flatMap(({ mark }) => (mark === undefined ? [] : factsAt(mark, at)));
  if (named.length === 0 && found.every(({ mark }) => mark === undefined)) return [...found];
  const known = await engine.store.read(scopeOf(reader), (tables) =>
    readFacts(tables, [...new Set(named)], at, { knownAt: knownAt ?? null, now }),
  );
  const say = (text: string, id: string) => (forModel ? shownToModel(engine, reader, id, text) : text);
  return found.map((one) => {
    if (one.mark === undefined) return one;
    const truth = toTruth(one.mark, at, known, say);
    if (truth === undefined) return one;
    const successor = lastOver(one.mark, at)?.by ?? '';
    return { ...one, truth, ...(!truth.isCurrent && { successors: known.get(successor)?.current ?? [] }) };
  });
}

interface KnownFact {
  fact: Fact;
  /** Memories that say so and that the caller may read, oldest first. */
  memoryIds: readonly string[];
  /** The same for the facts that are true now in its place, which may be itself. */
  current: readonly string[];
}

function toTruth(
  mark: MemoryMark,
  at: number,
  known: ReadonlyMap<string, KnownFact>,
  say: (text: string, id: string) => string,
): Truth | undefined {
  const last = lastOver(mark, at);
  const disputes = disputesAt(mark, at).flatMap(({ by }): Dispute[] => {
    const found = known.get(by);
    if (found === undefined) return [];
    const { fact, memoryIds } = found;
    return [{ factId: by, text: say(fact.text, by), trust: fact.state.trust, memoryIds }];
  });
  if (last === undefined) return disputes.length === 0 ? undefined : { isCurrent: true, disputes };
  const successor = last.by === null ? undefined : known.get(last.by);
  return {
    isCurrent: !isOver(mark, at),
    since: last.at === neverTrue ? null : new Date(last.at),
    ...(successor && { supersededBy: successor.memoryIds[0] ?? successor.fact.id }),
    disputes,
  };
}

function lastOver({ over }: MemoryMark, at: number): MemoryMark['over'][number] | undefined {
  return over.filter((one) => one.at <= at).at(-1);
}

function disputesAt({ disputes }: MemoryMark, at: number): MemoryMark['disputes'] {
  return disputes.filter(({ from, to }) => from <= at && (to === null || at < to));
}

/** Returns the ids of the facts that matter at that time. */
function factsAt(mark: MemoryMark, at: number): string[] {
  return [lastOver(mark, at)?.by ?? [], disputesAt(mark, at).map(({ by }) => by)].flat();
}

async function readFacts(
  tables: Tables,
  ids: readonly string[],
  at: number,
  { knownAt, now }: { knownAt: Date | null; now: Date },
): Promise<Map<string, KnownFact>> {
  if (ids.length === 0) return new Map();
  const facts = await tables.facts.get(ids, knownAt);
  const later = await Promise.all(
    facts.map(async (fact) => {
      if (isTrue(fact.state, at)) return [fact];
      return (await tables.facts.ofKeys(fact, knownAt)).filter(({ state }) => isTrue(state, at));
    }),
  );
  const evidence = [...facts, ...later.flat()].flatMap((fact) => fact.evidence);
  const readable = new Set((await tables.memories.getMany([...new Set(evidence)], now)).map(({ id }) => id));
  const shown = (fact: Fact) => fact.evidence.filter((id) => readable.has(id));
  return new Map(
    facts.map((fact, place) => {
      const current = (later[place] ?? []).flatMap(shown);
      return [fact.id, { fact, memoryIds: shown(fact), current }] as const;
    }),
  );
}

function isTrue({ standing, validFrom, validTo }: FactState, at: number): boolean {
  return standing === 'held' && validFrom.getTime() <= at && (validTo === null || at < validTo.getTime());
}

/** Returns a text as a model may read it; empty if it may not. */
export function shownToModel(engine: Engine, reader: Caller, id: string, text: string): string {
  return findBlocked(engine, reader, id, [text]) === undefined ? redact(text).text : '';
}
