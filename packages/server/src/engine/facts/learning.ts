import { uuidv7 } from '@memhall/core';
import type { Fact, FactKeys, NewFact } from '../../ports/facts.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { countStatements } from './count-statements.js';
import { decideFact } from './decide-fact.js';
import { attributeKey } from './fact-keys.js';
import { isSameClaim, toClaim } from './fact-timeline.js';
import { type ChangeMoment, nextMoment, type OwnChange, recordChange, toTimelineFact } from './record-change.js';
import { type Consequence, type KnownFact, type SaidFact, weighStatement } from './weigh-statement.js';

/** A statement is compared with all facts of its subject and attribute. A write compares so many. */
const mostComparisons = 150_000;
/** Groups of facts that are asked for at once. */
const groupsAtOnce = 100;

export interface SaidByMemory {
  said: SaidFact;
  keys: FactKeys;
  memory: Memory;
}

/** The facts that statements are about, as they become while one after the other is applied. */
export class Learning {
  readonly mutations: Mutation[] = [];
  readonly #tables: Tables;
  /** By subject and attribute. Names of one subject share a group. */
  readonly #groups = new Map<string, KnownFact[]>();
  /** How many things memories say, by id. */
  readonly #counts = new Map<string, number>();
  #subjects: ReadonlyMap<string, string> = new Map();
  #moment: ChangeMoment = { seq: 0, at: new Date(0) };

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Reads what is known about the subjects and attributes of statements, once. Returns the statements that it can be compared with. */
  async begin(said: readonly SaidByMemory[], now: Date): Promise<SaidByMemory[]> {
    const about = new Map<string, SaidByMemory[]>();
    for (const one of said) addTo(about, groupOf(one.keys), one);
    const together = [...about.values()];
    const names = [...new Set(said.map(({ keys }) => keys.subjectKey))];
    const [moment, subjects, groups] = await Promise.all([
      nextMoment(this.#tables, now),
      names.length === 1 ? new Map<string, string>() : this.#tables.subjects.keysOf(names),
      this.#readAll(together),
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
    return this.#comparable(said);
  }

  /** Returns the last statements that take no more comparisons than a write may make: each may add a fact for those that follow. */
  #comparable(said: readonly SaidByMemory[]): SaidByMemory[] {
    const sizes = new Map<string, number>();
    let left = mostComparisons;
    const first = said.findLastIndex(({ keys }) => {
      const group = this.#groupOf(keys);
      const size = sizes.get(group) ?? this.#of(keys).length;
      sizes.set(group, size + 1);
      left -= size;
      return left < 0;
    });
    return said.slice(first + 1);
  }

  async #readAll(groups: readonly (readonly SaidByMemory[])[]): Promise<Fact[][]> {
    const found: Fact[][] = [];
    for (let from = 0; from < groups.length; from += groupsAtOnce) {
      const some = groups.slice(from, from + groupsAtOnce);
      found.push(...(await Promise.all(some.map((said) => this.#read(said)))));
    }
    return found;
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

  #link(fact: KnownFact, { memory, keys, said }: SaidByMemory): void {
    const { id } = memory;
    this.#tables.facts.addEvidence(fact.id, [id], this.#moment.at, [this.#statementsOf(memory)]);
    const saidAt = fact.saidAt !== undefined && fact.saidAt > said.at ? fact.saidAt : said.at;
    this.#replace({ ...fact, evidence: [...fact.evidence, id], saidAt }, keys);
  }

  #statementsOf({ id, content }: Memory): number {
    const count = this.#counts.get(id) ?? countStatements(content);
    this.#counts.set(id, count);
    return count;
  }

  #record(own: OwnChange, { keys }: SaidByMemory): KnownFact {
    const { fact, states, mutations } = recordChange(this.#tables, this.#of(keys), own, this.#moment);
    this.mutations.push(...mutations);
    this.#moment = { seq: this.#moment.seq + 1, at: new Date(this.#moment.at.getTime() + 1) };
    this.#replace(fact, keys);
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
