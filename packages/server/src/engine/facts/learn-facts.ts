import { uuidv7 } from '@memhall/core';
import type { Fact, FactKeys, NewFact } from '../../ports/facts.js';
import type { Memory } from '../../ports/memories.js';
import type { StatedFact, Utterance } from '../../ports/statement-reader.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from '../memories/kinds.js';
import type { Follow } from '../memories/remember.js';
import { workspaceOf } from '../namespace-names.js';
import type { KnownAttribute } from './attributes.js';
import { countStatements } from './count-statements.js';
import { decideFact } from './decide-fact.js';
import { attributeKey, factLimits, textKey, valueKey } from './fact-keys.js';
import { isSameClaim, toClaim, toStates } from './fact-timeline.js';
import { factWatcher } from './fact-watcher.js';
import { type ChangeMoment, nextMoment, type OwnChange, recordChange, toTimelineFact } from './record-change.js';
import { type Consequence, type KnownFact, type SaidFact, weighStatement } from './weigh-statement.js';

/** Kinds of memories that may state facts. The others are instructions, summaries, or parts of other records. */
export const learnableKinds: readonly string[] = ['note', 'semantic', 'episodic', 'fact'] satisfies MemoryKind[];
/** Longer texts are mostly pasted. */
const longestRead = 20_000;
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
  await learning.begin(said, now);
  for (const one of said) learning.apply(one);
  return [...takenBack, ...learning.mutations];
}

interface SaidByMemory {
  said: SaidFact;
  keys: FactKeys;
  memory: Memory;
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

/** The facts that statements are about, as they become while one after the other is applied. */
class Learning {
  readonly mutations: Mutation[] = [];
  readonly #tables: Tables;
  /** By subject and attribute. Names of one subject share a group. */
  readonly #groups = new Map<string, KnownFact[]>();
  #subjects: ReadonlyMap<string, string> = new Map();
  #moment: ChangeMoment = { seq: 0, at: new Date(0) };

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Reads what is known about the subjects and attributes of statements, once, whatever their number. */
  async begin(said: readonly SaidByMemory[], now: Date): Promise<void> {
    const about = new Map<string, SaidByMemory[]>();
    for (const one of said) addTo(about, groupOf(one.keys), one);
    const together = [...about.values()];
    const names = [...new Set(said.map(({ keys }) => keys.subjectKey))];
    const [moment, subjects, ...groups] = await Promise.all([
      nextMoment(this.#tables, now),
      names.length === 1 ? new Map<string, string>() : this.#tables.subjects.keysOf(names),
      ...together.map((some) => this.#read(some)),
    ]);
    this.#moment = moment;
    this.#subjects = subjects;
    const saidAt = await this.#lastSaid(said, groups.flat());
    for (const [index, some] of together.entries()) {
      const known = this.#of((some[0] as SaidByMemory).keys);
      const found = (groups[index] ?? []).filter((fact) => !known.some(({ id }) => id === fact.id));
      const facts = found.map((fact) => ({ ...fact, saidAt: saidAt.get(fact.id) }));
      this.#groups.set(this.#groupOf((some[0] as SaidByMemory).keys), [...known, ...facts]);
    }
  }

  /** A statement that replaces nothing has to do with few of the facts of an attribute that holds many values. */
  #read(said: readonly SaidByMemory[]): Promise<Fact[]> {
    const { keys } = said[0] as SaidByMemory;
    const values = said.flatMap((one) => (one.said.single ? [] : (one.said.valueKey ?? [])));
    const { facts } = this.#tables;
    return values.length < said.length ? facts.ofKeys(keys) : facts.ofValues(keys, values);
  }

  /** When facts were last said matters only to statements about an earlier time than that at which they were recorded. */
  async #lastSaid(said: readonly SaidByMemory[], facts: readonly Fact[]): Promise<Map<string, Date>> {
    const earliest = Math.min(...said.map((one) => one.said.at.getTime()));
    const later = facts.filter(({ recordedAt, stateAt }) => Math.max(+recordedAt, +stateAt) > earliest);
    if (later.length === 0) return new Map();
    const told = await this.#tables.facts.lastSaid(later.map(({ id }) => id));
    for (const { id, state, stateAt } of later) if (state.isStated) told.set(id, stateAt);
    return told;
  }

  #groupOf({ subjectKey, attributeKey: key }: FactKeys): string {
    return groupOf({ subjectKey: this.#subjects.get(subjectKey) ?? subjectKey, attributeKey: key });
  }

  apply(given: SaidByMemory): void {
    const { said, keys, memory } = given;
    for (const consequence of weighStatement(said, this.#of(keys))) {
      if ('statement' in consequence) this.#state(consequence, given);
      else this.#record({ ...consequence, memoryId: memory.id }, given);
    }
  }

  #of(keys: FactKeys): KnownFact[] {
    return this.#groups.get(this.#groupOf(keys)) ?? [];
  }

  #state({ statement }: Extract<Consequence, { statement: unknown }>, given: SaidByMemory): void {
    const { said, keys, memory } = given;
    const facts = this.#of(keys);
    const { factId, claim, change, reason } = decideFact(statement, facts.map(toTimelineFact));
    const known = facts.find(({ id }) => id === factId);
    const isLinked = known?.evidence.includes(memory.id) ?? false;
    if (known !== undefined && isSameClaim(toClaim(known.state), claim)) {
      if (!isLinked) this.#link(known, given);
      return;
    }
    const fact = known ?? toNewFact(said, keys, this.#moment.at);
    const stored = this.#record({ fact, claim, change, reason, memoryId: memory.id }, given);
    if (!isLinked) this.#link(stored, given);
  }

  #link(fact: KnownFact, { memory: { id, content }, keys, said }: SaidByMemory): void {
    this.#tables.facts.addEvidence(fact.id, [id], this.#moment.at, [countStatements(content)]);
    const saidAt = fact.saidAt !== undefined && fact.saidAt > said.at ? fact.saidAt : said.at;
    this.#replace({ ...fact, evidence: [...fact.evidence, id], saidAt }, keys);
  }

  #record(own: OwnChange, { keys }: SaidByMemory): KnownFact {
    const { fact, mutations } = recordChange(this.#tables, this.#of(keys), own, this.#moment);
    this.mutations.push(...mutations);
    this.#moment = { seq: this.#moment.seq + 1, at: new Date(this.#moment.at.getTime() + 1) };
    this.#replace(fact, keys);
    const states = toStates(this.#of(keys).map(toTimelineFact));
    const group = this.#of(keys).map((one) => ({ ...one, state: states.get(one.id) ?? one.state }));
    this.#groups.set(this.#groupOf(keys), group);
    return group.find(({ id }) => id === fact.id) ?? fact;
  }

  #replace(fact: KnownFact, keys: FactKeys): void {
    this.#groups.set(this.#groupOf(keys), [...this.#of(keys).filter(({ id }) => id !== fact.id), fact]);
  }
}

function addTo<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}

function groupOf({ subjectKey, attributeKey: key }: FactKeys): string {
  return JSON.stringify([subjectKey, key]);
}

function toNewFact({ subject, attribute, value, valueKey: key }: SaidFact, keys: FactKeys, at: Date): NewFact {
  return {
    ...{
      id: uuidv7(at.getTime()),
      subject,
      attribute,
      value: value ?? '',
      ...keys,
      valueKey: key ?? '',
      recordedAt: at,
    },
    text: `${subject}: ${attributeKey(attribute)} ${value}`,
  };
}
