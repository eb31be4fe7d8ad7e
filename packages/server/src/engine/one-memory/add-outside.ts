import type { MemoryFilter } from '../../ports/memories.js';
import { scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { findBlockedIn, withoutSecrets } from '../guard-models.js';
import type { Recalled } from '../memories/recall/recalled.js';
import { timeStage } from '../memories/recall/time-stage.js';
import type { AnyRecalled } from './chosen.js';
import { statementOf } from './copies.js';
import type { Member } from './member.js';
import type { OutsideSearch } from './outside-memories.js';
import { isOwn, readingOf, readScopes, type Wanted } from './reading.js';
import type { AnyRecall } from './recall-any.js';

export interface FoundEverywhere {
  /** Those of the store come first. */
  results: readonly AnyRecalled[];
  /** Whether something may be missing: those who store it did not answer, or the embedder is not ready. */
  isIncomplete: boolean;
  /** Number of memories from outside that were too long to be looked at. */
  omitted: number;
}

type Asked = Wanted & Pick<AnyRecall, 'text' | 'arms' | 'filter' | 'limit' | 'minScore' | 'forModel' | 'signal'>;

/** More than any model reads at once; also limits the time needed to scan what comes from outside. */
const mostCharacters = 400_000;

/** Adds what is stored outside to what the store has. Nothing from outside takes the place of a stored memory. */
export async function addOutside(
  engine: Engine,
  member: Member,
  asked: Asked,
  stored: Promise<readonly AnyRecalled[]>,
): Promise<FoundEverywhere> {
  const { outsideMemories: outside } = engine;
  const search = outside?.serves(member) ? toSearch(member, asked) : undefined;
  if (outside === null || search === undefined) return { results: await stored, isIncomplete: false, omitted: 0 };
  const [own, answer] = await Promise.all([stored, timeStage(engine, 'outside', () => outside.search(member, search))]);
  const wanted = (answer ?? []).filter((one) => isWanted(one, asked));
  const fitting = takeFitting(wanted);
  const shown: Recalled[] = [];
  for (const one of fitting) if (!asked.forModel || !(await isBlocked(engine, member, one.memory))) shown.push(one);
  const also = shown.length === 0 ? [] : await engine.tenants.alsoRedacted(scopeOf(member));
  const results = [...own];
  for (const { memory, score } of shown) {
    const content = await withoutSecrets(engine, memory.content, also);
    addTo(results, own.length, { memory: { ...memory, content }, score, isOwn: isOwn(member, memory), also: [] });
  }
  return { results, isIncomplete: answer === undefined, omitted: wanted.length - fitting.length };
}

/** Returns undefined if nothing outside can match. */
function toSearch(member: Member, asked: Asked): OutsideSearch | undefined {
  const { scopes = readScopes, filter = {} } = asked;
  if (!canMatch(filter)) return undefined;
  const namespaces = (readingOf(member, asked).scope.namespaces ?? []).filter((name) => {
    const partition = { kind: 'namespace', name } as const;
    return scopes.includes(isOwn(member, { partition, author: '', userId: '' }) ? 'own' : 'shared');
  });
  if (namespaces.length === 0) return undefined;
  const { text, arms, limit, signal } = asked;
  return { text, namespaces, kinds: kindsOf(filter), arms, limit, signal };
}

/** Whether a memory from outside can match. It never meets conditions on what only the store knows of a memory. */
function canMatch({ kinds, notKinds, occurredFrom, occurredTo, anyOf, ...others }: MemoryFilter): boolean {
  const isKnown = Object.values(others).every((condition) => condition === undefined);
  return isKnown && (anyOf === undefined || anyOf.some(canMatch));
}

/** Returns the kinds to ask for; undefined for all. */
function kindsOf({ kinds, anyOf }: MemoryFilter): readonly string[] | undefined {
  if (kinds !== undefined || anyOf === undefined) return kinds;
  const possible = anyOf.filter(canMatch);
  return possible.some((one) => one.kinds === undefined) ? undefined : possible.flatMap((one) => one.kinds ?? []);
}

function isWanted({ memory, score }: Recalled, { filter = {}, minScore = 0 }: Asked): boolean {
  return score >= minScore && isMatch(memory, filter);
}

function isMatch(memory: Recalled['memory'], filter: MemoryFilter): boolean {
  const { kind, occurredAt } = memory;
  const { kinds, notKinds = [], occurredFrom, occurredTo, anyOf } = filter;
  return (
    canMatch(filter) &&
    (kinds === undefined || kinds.includes(kind)) &&
    !notKinds.includes(kind) &&
    (occurredFrom === undefined || occurredAt >= occurredFrom) &&
    (occurredTo === undefined || occurredAt < occurredTo) &&
    (anyOf === undefined || anyOf.some((one) => isMatch(memory, one)))
  );
}

function takeFitting(found: readonly Recalled[]): Recalled[] {
  let room = mostCharacters;
  return found.filter(({ memory: { content, propagation } }) => {
    const length = content.length + (propagation === null ? 0 : JSON.stringify(propagation).length);
    if (length > room) return false;
    room -= length;
    return true;
  });
}

async function isBlocked(engine: Engine, member: Member, { id, content, kind }: Recalled['memory']): Promise<boolean> {
  return (await findBlockedIn(engine, member, id, [content, kind])) !== undefined;
}

/** Adds a memory, or its id to the stored memory that it repeats. Somebody else's words are never hidden behind the user's own. */
function addTo(results: AnyRecalled[], stored: number, one: AnyRecalled): void {
  const statement = statementOf(one.memory.content);
  const place = results.findIndex(
    (other, index) =>
      index < stored &&
      statement !== '' &&
      isSameSpeaker(other, one) &&
      statement === statementOf(other.memory.content),
  );
  const copied = results[place];
  if (copied === undefined) results.push(one);
  else results[place] = { ...copied, also: [...copied.also, { id: one.memory.id, reason: 'same statement' }] };
}

/** Nobody knows who wrote what is stored outside: of what is not the user's own, the namespace has to do. */
function isSameSpeaker(one: AnyRecalled, other: AnyRecalled): boolean {
  if (one.isOwn !== other.isOwn) return false;
  return one.isOwn || namespaceOf(one) === namespaceOf(other);
}

function namespaceOf({ memory: { partition } }: AnyRecalled): string | undefined {
  return partition.kind === 'namespace' ? partition.name : undefined;
}
