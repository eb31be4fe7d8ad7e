import {
  ClientArea,
  type EachOptions,
  eachItem,
  type Fields,
  type PageOptions,
  pageOf,
  type UserOptions,
  userOf,
} from './client-area.js';
import type {
  Attribute,
  Fact,
  FactPage,
  Operations,
  SubjectList,
  SubjectPage,
  SubjectSummary,
} from './generated/operations.js';
import type { CallOptions } from './transport.js';

export type NewFact = Fields<'facts.put'>;
export type AttributeDefinition = Operations['attributes.put']['body'];
export type FactFilter = Omit<Operations['facts.list']['query'], 'user_id' | 'limit' | 'cursor'>;
/** The time in the world, and the time in the store, that a question is about. Default: now. */
export type FactTimes = Pick<FactFilter, 'as_of' | 'known_at'>;
/** A fact with its evidence, the facts it replaces, and how it came to its state. */
export type FactWithEvidence = Operations['facts.get']['answer'];

export interface FactChangeOptions extends UserOptions {
  /** Why; kept with the change. */
  reason?: string;
}

/** Calls about what is true of a subject, since when, and on whose word. */
export class FactsClient extends ClientArea {
  /** States a fact. Returns it as it is stored: `unconfirmed` if a more trusted statement contradicts it. */
  async putFact(fact: NewFact, options: UserOptions = {}): Promise<Fact> {
    const body = { ...fact, ...userOf(options) };
    return (await this.answer('facts.put', { path: {}, body }, options)).fact;
  }

  /** Returns one page, last recorded first. */
  async listFacts(filter: FactFilter = {}, options: PageOptions = {}): Promise<FactPage> {
    return this.answer('facts.list', { path: {}, query: { ...filter, ...pageOf(options) } }, options);
  }

  /** Yields all facts that match the filter, last recorded first. */
  allFacts(filter: FactFilter = {}, options: EachOptions = {}): AsyncGenerator<Fact, void, undefined> {
    return eachItem(
      (page) => this.listFacts(filter, { ...options, ...page }),
      ({ facts }) => facts,
    );
  }

  getFact(id: string, times: FactTimes = {}, options: UserOptions = {}): Promise<FactWithEvidence | null> {
    return this.find('facts.get', { path: { fact_id: id }, query: { ...times, ...userOf(options) } }, options);
  }

  /** The fact was never true. What it had superseded is current again. */
  retractFact(id: string, options: FactChangeOptions = {}): Promise<Fact> {
    return this.#change('facts.retract', id, options);
  }

  /** The fact was never true, another value is. Returns the fact with that value, and the one that was wrong. */
  correctFact(id: string, value: string, options: FactChangeOptions = {}): Promise<{ fact: Fact; retracted: Fact }> {
    const body = { value, reason: options.reason, ...userOf(options) };
    return this.answer('facts.correct', { path: { fact_id: id }, body }, options);
  }

  /** Makes a fact count as the caller's own statement. */
  confirmFact(id: string, options: FactChangeOptions = {}): Promise<Fact> {
    return this.#change('facts.confirm', id, options);
  }

  /** Rejects a fact that is unconfirmed. */
  rejectFact(id: string, options: FactChangeOptions = {}): Promise<Fact> {
    return this.#change('facts.reject', id, options);
  }

  /** Takes back the last change of a fact, and what followed from it for other facts. */
  undoFact(id: string, options: FactChangeOptions = {}): Promise<Fact> {
    return this.#change('facts.undo', id, options);
  }

  /** Returns one page of the people, places, projects and things that facts are about, by name. */
  listSubjects(times: FactTimes = {}, options: PageOptions = {}): Promise<SubjectList> {
    return this.answer('subjects.list', { path: {}, query: { ...times, ...pageOf(options) } }, options);
  }

  /** Yields all subjects, by name. */
  allSubjects(times: FactTimes = {}, options: EachOptions = {}): AsyncGenerator<SubjectSummary, void, undefined> {
    return eachItem(
      (page) => this.listSubjects(times, { ...options, ...page }),
      ({ subjects }) => subjects,
    );
  }

  /** Returns the page of a subject, by any of its names; null if nothing was known about it. */
  getSubject(subject: string, times: FactTimes = {}, options: UserOptions = {}): Promise<SubjectPage | null> {
    return this.find('subjects.get', { path: { subject }, query: { ...times, ...userOf(options) } }, options);
  }

  /** Makes a name mean the same as the subject. Returns the page of both. */
  mergeSubjects(subject: string, alias: string, options: UserOptions = {}): Promise<SubjectPage> {
    const body = { with: alias, ...userOf(options) };
    return this.answer('subjects.merge', { path: { subject }, body }, options);
  }

  /** Takes back a merge, and restores what it changed. Returns the page of the subject. */
  splitSubject(subject: string, alias: string, options: UserOptions = {}): Promise<SubjectPage> {
    const body = { alias, ...userOf(options) };
    return this.answer('subjects.split', { path: { subject }, body }, options);
  }

  /** Returns an attribute of the tenant, else a built-in one; null if facts may use it but nothing is known about it. */
  getAttribute(tenantId: string, name: string, options: CallOptions = {}): Promise<Attribute | null> {
    return this.find('attributes.get', { path: { tenant_id: tenantId, name } }, options);
  }

  /** Defines an attribute for a tenant, or redefines a built-in one. For administrators. */
  putAttribute(
    tenantId: string,
    name: string,
    attribute: AttributeDefinition,
    options: CallOptions = {},
  ): Promise<Attribute> {
    return this.answer('attributes.put', { path: { tenant_id: tenantId, name }, body: attribute }, options);
  }

  async #change(
    operation: 'facts.retract' | 'facts.confirm' | 'facts.reject' | 'facts.undo',
    id: string,
    options: FactChangeOptions,
  ): Promise<Fact> {
    const body = { reason: options.reason, ...userOf(options) };
    return (await this.answer(operation, { path: { fact_id: id }, body }, options)).fact;
  }
}
