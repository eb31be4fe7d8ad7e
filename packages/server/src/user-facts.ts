import type { Caller } from './engine/caller.js';
import type { Engine } from './engine/engine.js';
import { confirmFact, rejectFact, retractFact, undoFact } from './engine/facts/change-fact.js';
import { correctFact } from './engine/facts/correct-fact.js';
import { mergeSubjects, splitSubject } from './engine/facts/merge-subjects.js';
import { type GivenFact, type PutFact, putFact } from './engine/facts/put-fact.js';
import {
  type FactDetails,
  type FactQuery,
  type FactTimes,
  getFact,
  listFacts,
  type SeenFact,
} from './engine/facts/read-facts.js';
import { getSubject, listSubjects, type SubjectPage, type SubjectQuery } from './engine/facts/read-subjects.js';
import { ifPresent } from './engine/if-present.js';
import type { Page } from './engine/page.js';
import type { OpenEngine } from './open-engine.js';
import type { Fact } from './ports/facts.js';
import type { SubjectSummary } from './ports/subjects.js';

export type FactOptions = Partial<FactQuery>;

/** What is true of a user and of what the user speaks about: since when, and on whose word. */
export class UserFacts {
  readonly #engine: OpenEngine;
  /** Returns the caller with everything it may read. */
  readonly #reader: (operation: string) => Caller;

  /** @internal */
  constructor(engine: OpenEngine, reader: (operation: string) => Caller) {
    this.#engine = engine;
    this.#reader = reader;
  }

  /** States a fact. It is stored as unconfirmed if a more trusted statement contradicts it. */
  put(fact: GivenFact): Promise<PutFact> {
    return this.#use('memories.putFact', (engine, caller) => putFact(engine, caller, fact));
  }

  /** Lists facts that are current or unconfirmed, last recorded first. */
  list({ limit = 20, ...query }: FactOptions = {}): Promise<Page<SeenFact>> {
    return this.#use('memories.listFacts', (engine, caller) => listFacts(engine, caller, { ...query, limit }));
  }

  /** Returns undefined if there is no such fact, or it was not known yet. */
  get(id: string, times: FactTimes = {}): Promise<FactDetails | undefined> {
    return this.#use('memories.getFact', (engine, caller) => ifPresent(getFact(engine, caller, id, times)));
  }

  /** The fact was never true. What it had superseded is current again. */
  retract(id: string, reason?: string): Promise<Fact> {
    return this.#use('memories.retractFact', (engine, caller) => retractFact(engine, caller, id, reason));
  }

  /** The fact was never true, another value is. Returns the fact with that value, and the one that was wrong. */
  correct(id: string, value: string, reason?: string): Promise<{ fact: Fact; retracted: Fact }> {
    return this.#use('memories.correctFact', (engine, caller) =>
      correctFact(engine, caller, id, { value, note: reason }),
    );
  }

  /** Makes a fact count as the user's own statement. */
  confirm(id: string, reason?: string): Promise<Fact> {
    return this.#use('memories.confirmFact', (engine, caller) => confirmFact(engine, caller, id, reason));
  }

  /** Rejects a fact that is unconfirmed. */
  reject(id: string, reason?: string): Promise<Fact> {
    return this.#use('memories.rejectFact', (engine, caller) => rejectFact(engine, caller, id, reason));
  }

  /** Takes back the last change of a fact, and what followed from it for other facts. */
  undo(id: string, reason?: string): Promise<Fact> {
    return this.#use('memories.undoFact', (engine, caller) => undoFact(engine, caller, id, reason));
  }

  /** Lists the people, places, projects and things that facts are about, by name. */
  subjects({ limit = 20, ...query }: Partial<SubjectQuery> = {}): Promise<Page<SubjectSummary>> {
    return this.#use('memories.listSubjects', (engine, caller) => listSubjects(engine, caller, { ...query, limit }));
  }

  /** Returns the page of a subject, by any of its names; undefined if nothing was known about it. */
  subject(name: string, times: FactTimes = {}): Promise<SubjectPage | undefined> {
    return this.#use('memories.getSubject', (engine, caller) => ifPresent(getSubject(engine, caller, name, times)));
  }

  /** Makes a name mean the same as the subject, with the names it was merged with before. */
  merge(subject: string, alias: string): Promise<void> {
    return this.#use('memories.mergeSubjects', (engine, caller) => mergeSubjects(engine, caller, subject, alias));
  }

  /** Takes back a merge, and restores what it changed. */
  split(subject: string, alias: string): Promise<void> {
    return this.#use('memories.splitSubject', (engine, caller) => splitSubject(engine, caller, subject, alias));
  }

  #use<T>(operation: string, work: (engine: Engine, caller: Caller) => Promise<T>): Promise<T> {
    return this.#engine.use((engine) => work(engine, this.#reader(operation)));
  }
}
