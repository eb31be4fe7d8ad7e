import { randomUUID } from 'node:crypto';
import { Journal, readJournal } from './journal.mjs';
import { scoreAll } from './ranking.mjs';
import { refuse } from './requests.mjs';

/** @typedef {{ name: string, kind: string, expires_at?: string | undefined, metadata?: object | undefined, created_at: string }} Namespace */
/** @typedef {import('../store.js').Fields & { id: string, namespace: string, created_at: string }} Memory */
/** @typedef {{ put: Namespace } | { drop: string } | { write: Memory } | { forget: string }} Entry */

const livesElsewhere = () => refuse(403, 'forbidden', 'The memory with this id is in another namespace.');
const noNamespace = () => refuse(404, 'not_found', 'There is no such namespace.');
/** @param {{ expires_at?: string | undefined }} thing */
const isOver = ({ expires_at }) => expires_at !== undefined && Date.parse(expires_at) <= Date.now();

/** Holds everything in memory; the journal restores it. All methods are synchronous, so changes are atomic. */
export class MemoryStore {
  /** @type {Map<string, Namespace>} */ #namespaces = new Map();
  /** @type {Map<string, Memory>} */ #memories = new Map();
  #journal;

  /** @param {string} path */
  constructor(path) {
    for (const entry of readJournal(path)) this.#apply(entry);
    const namespaces = [...this.#namespaces.keys()].flatMap((name) => this.#find(name) ?? []);
    const memories = [...this.#memories.keys()].flatMap((id) => this.#living(id) ?? []);
    this.#journal = new Journal(path, [...namespaces.map((put) => ({ put })), ...memories.map((write) => ({ write }))]);
  }

  isWorking = () => !this.#journal.isBroken;

  /** @param {string} name @param {Omit<Namespace, 'name' | 'created_at'>} fields */
  putNamespace(name, fields) {
    const current = this.#find(name);
    const namespace = { name, ...fields, created_at: current?.created_at ?? new Date().toISOString() };
    this.#commit(...(current === undefined ? [{ drop: name }] : []), { put: namespace });
    return namespace;
  }

  /** @param {string} name @param {Partial<Namespace>} changes undefined removes a field */
  changeNamespace(name, changes) {
    const namespace = { ...(this.#find(name) ?? noNamespace()), ...changes };
    this.#commit({ put: namespace });
    return namespace;
  }

  /** @param {string} name */
  deleteNamespace(name) {
    this.#commit({ drop: (this.#find(name) ?? noNamespace()).name });
  }

  /** @param {string} namespace @param {string | undefined} given @param {import('../store.js').Fields} fields */
  write(namespace, given, fields) {
    if (this.#find(namespace) === undefined) noNamespace();
    const id = given ?? randomUUID();
    const current = this.#living(id);
    if (current !== undefined && current.namespace !== namespace) livesElsewhere();
    const created_at = current?.created_at ?? new Date().toISOString();
    this.#commit({ write: { id, namespace, ...fields, created_at } });
    return { id, namespace };
  }

  /** @param {string} id @param {string} namespace */
  forget(id, namespace) {
    const current = this.#living(id) ?? refuse(404, 'not_found', 'There is no such memory.');
    if (current.namespace !== namespace) livesElsewhere();
    this.#commit({ forget: id });
  }

  /** @param {import('../store.js').Search} search */
  search({ namespaces, query, embedding, kinds, limit }) {
    const names = new Set(namespaces.filter((name) => this.#find(name) !== undefined));
    const known = [...this.#memories.values()].filter(
      (memory) => names.has(memory.namespace) && !isOver(memory) && (kinds?.includes(memory.kind) ?? true),
    );
    // Newest first, even within a millisecond: a Map iterates in insertion order, and the sort is stable.
    const candidates = known.reverse().sort((a, b) => b.created_at.localeCompare(a.created_at));
    const isQuestion = query !== undefined || embedding !== undefined;
    const scores = isQuestion ? scoreAll(candidates, query, embedding) : candidates.map(() => 0);
    const pinned = (/** @type {Memory} */ { pin }) => Number(pin === true);
    return candidates
      .flatMap((memory, index) => (scores[index] === undefined ? [] : [{ memory, score: scores[index] }]))
      .sort((a, b) => pinned(b.memory) - pinned(a.memory) || b.score - a.score)
      .slice(0, limit)
      .map(({ memory: { embedding: _, ...memory }, score }) => (isQuestion ? { ...memory, score } : memory));
  }

  /** @param {string} name */
  #find(name) {
    const namespace = this.#namespaces.get(name);
    return namespace === undefined || isOver(namespace) ? undefined : namespace;
  }

  /** @param {string} id */
  #living(id) {
    const memory = this.#memories.get(id);
    return memory === undefined || isOver(memory) || this.#find(memory.namespace) === undefined ? undefined : memory;
  }

  /** @param {Entry[]} entries */
  #commit(...entries) {
    if (!this.isWorking()) refuse(503, 'unavailable', 'The store is down.');
    this.#journal.append(entries);
    for (const entry of entries) this.#apply(entry);
  }

  /** @param {Entry} entry */
  #apply(entry) {
    if ('put' in entry) this.#namespaces.set(entry.put.name, entry.put);
    if ('forget' in entry) this.#memories.delete(entry.forget);
    if ('write' in entry) this.#memories.set(entry.write.id, entry.write);
    if ('drop' in entry) {
      this.#namespaces.delete(entry.drop);
      for (const { id, namespace } of this.#memories.values()) if (namespace === entry.drop) this.#memories.delete(id);
    }
  }
}
