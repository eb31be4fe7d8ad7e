import type { Memory } from '../../ports/memories.js';
import type { StatedFact, Utterance } from '../../ports/statement-reader.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from '../memories/kinds.js';
import type { Follow } from '../memories/remember.js';
import { workspaceOf } from '../namespace-names.js';
import { letOthersRun } from '../read-long.js';
import type { KnownAttribute } from './attributes.js';
import { factLimits, textKey, valueKey } from './fact-keys.js';
import { factWatcher } from './fact-watcher.js';
import { Learning, type SaidByMemory } from './learning.js';
import type { SaidFact } from './weigh-statement.js';

/** Kinds of memories that may state facts. The others are instructions, summaries, or parts of other records. */
export const learnableKinds: readonly string[] = ['note', 'semantic', 'episodic', 'fact'] satisfies MemoryKind[];
/** Longer texts are mostly pasted. */
const longestRead = 20_000;
/** A write learns from so many statements: the last ones, since they are about now. */
const mostStatements = 2000;
/** A statement may change facts of others, too. A write that has changed so many learns no more. */
const mostChanges = 10_000;
const anyTimeZone = 'UTC';

/** What is read of a memory, or of a message that is stored elsewhere. */
export type SpokenText = Pick<Memory, 'kind' | 'partition' | 'role' | 'content' | 'occurredAt'>;

/** What a text states, with the attributes it is about. Read before the transaction. */
export interface Lesson {
  stated: readonly StatedFact[];
  attributes: ReadonlyMap<string, KnownAttribute>;
}

/** Returns what follows from memories that are stored: the facts that they state. */
export function learner(engine: Engine, caller: Caller) {
  return async (memories: readonly Memory[]): Promise<Follow> => {
    const lessons = await readLessons(engine, caller, memories);
    return (tables, remembered, now) => {
      const learned = remembered.map((one, index) => ({ ...one, lesson: lessons[index] }));
      return learnFacts(tables, learned, now);
    };
  };
}

/** Reads what texts state. The result has one lesson for each, or undefined if it states nothing that may be learned. */
export async function readLessons(
  engine: Engine,
  caller: Caller,
  texts: readonly SpokenText[],
): Promise<(Lesson | undefined)[]> {
  const { statements } = engine;
  const readable = texts.filter((text) => isLearnable(caller, text));
  if (statements === null || readable.length === 0) return texts.map(() => undefined);
  const { lexicon, attributes } = await statements.lexicons.of(scopeOf(caller));
  const read = async (of: readonly SpokenText[], timeZone: string) => {
    const utterances = of.map((text) => toUtterance(text, timeZone));
    const stated = of.length === 0 ? [] : await statements.reader.read(utterances, lexicon);
    return new Map(of.map((text, index) => [text, stated[index] ?? []]));
  };
  const known = await read(readable, anyTimeZone);
  const dated = readable.filter((text) => known.get(text)?.some(namesTime));
  const timeZone = dated.length === 0 ? anyTimeZone : await engine.timeZones.of(scopeOf(caller));
  const inZone = timeZone === anyTimeZone ? undefined : await read(dated, timeZone);
  return texts.map((text) => {
    const stated = inZone?.get(text) ?? known.get(text) ?? [];
    return stated.length === 0 ? undefined : { stated, attributes };
  });
}

/** Texts in the user's own partition or workspace namespace, in the words of the user or of somebody who speaks to the user. */
function isLearnable({ userId }: Caller, { kind, partition, role, content }: SpokenText): boolean {
  const isOwn =
    partition.kind === 'user'
      ? partition.userId === userId
      : partition.kind === 'namespace' && userId !== '' && partition.name === workspaceOf(userId);
  const isSpoken = role === null || role === 'user' || role === 'assistant';
  return isOwn && isSpoken && learnableKinds.includes(kind) && content.length <= longestRead;
}

/** If no time was named, the user's time zone does not matter and is not looked up. */
function namesTime({ when, until }: StatedFact): boolean {
  return when !== undefined || until !== undefined;
}

function toUtterance({ content, occurredAt, role }: SpokenText, timeZone: string): Utterance {
  const speaker = role === 'assistant' ? 'assistant' : 'user';
  return { text: content, at: occurredAt, speaker, timeZone };
}

/** A stored memory and what it states. */
export interface LearnedMemory {
  memory: Memory;
  lesson: Lesson | undefined;
  /** It had another text before, and what followed from that is to be taken back. */
  isReworded?: boolean;
}

/**
 * Applies what memories state, in their order, in the transaction that stores them. Costs one round trip if they state anything. Returns
 * the changes for the audit log.
 */
export async function learnFacts(tables: Tables, learned: readonly LearnedMemory[], now: Date): Promise<Mutation[]> {
  const reworded = learned.filter(({ isReworded }) => isReworded).map(({ memory }) => memory.id);
  const takenBack = reworded.length === 0 ? [] : await factWatcher.removed(tables, reworded, now);
  const said = learned.flatMap(({ memory, lesson }) =>
    (lesson?.stated ?? []).flatMap((stated) => toSaid(stated, memory, lesson?.attributes) ?? []),
  );
  if (said.length === 0) return takenBack;
  const learning = new Learning(tables);
  for (const one of await learning.begin(said.slice(-mostStatements), now)) {
    if (learning.mutations.length > mostChanges) break;
    await letOthersRun();
    learning.apply(one);
  }
  return [...takenBack, ...learning.mutations];
}

function toSaid(
  stated: StatedFact,
  memory: Memory,
  attributes: Lesson['attributes'] = new Map(),
): SaidByMemory | undefined {
  const attribute = attributes.get(stated.attribute);
  const isTooLong = stated.subject.length > factLimits.subject || (stated.value?.length ?? 0) > factLimits.value;
  if (attribute === undefined || isTooLong || stated.value?.includes('[REDACTED')) return undefined;
  const { single, endsAlone, comparison, key, isLasting } = attribute;
  const said: SaidFact = {
    ...stated,
    ...{ at: memory.occurredAt, trust: memory.trust, single, endsAlone, comparison, isLasting },
    valueKey: stated.value === null ? null : valueKey(stated.value, comparison),
  };
  return { said, keys: { subjectKey: textKey(stated.subject), attributeKey: key }, memory };
}
