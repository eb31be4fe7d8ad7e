import { randomUUID } from 'node:crypto';
import { Journal } from './journal.mjs';
import { scoreAll } from './ranking.mjs';
import { Refusal } from './refusal.mjs';

/** @typedef {{ name: string, kind: string, expires_at?: string, metadata?: object, created_at: string }} Namespace */
/** @typedef {{ id: string, namespace: string, content: string, kind: string, source: string, pin?: boolean, created_at: string,
 *   expires_at?: string, propagation?: object, embedding?: number[], order: number }} Memory */
/** @typedef {{ put: Namespace } | { drop: string } | { write: Memory } | { forget: string }} Entry */

/** @param {{ expires_at?: string }} thing */
const isOver = ({ expires_at }) => expires_at !== undefined && Date.parse(expires_at) <= Date.now();

/** Everything in memory; a journal brings it back. Changes are made in one go, and answered when they are on the disk. */
export class MemoryStore {
  /** @type {Map<string, Namespace>} */ #namespaces = new Map();
  /** @type {Map<string, Memory>} */ #memories = new Map();
  /** @type {Journal | undefined} */ #journal;
  #order = 0;

  /** @param {string} path */
  static async open(path) {
    const store = new MemoryStore();
    for (const entry of Journal.read(path)) store.#apply(entry);
    store.#journal = await Journal.rewrite(path, store.#entries());
    return store;
  }

  get isWorking() {
    return this.#journal?.isBroken === false;
  }

  async close() {
    await this.#journal?.close();
  }

  /** @param {string} name @param {Omit<Namespace, 'name' | 'created_at'>} fields */
  async putNamespace(name, fields) {
    const current = this.#find(name);
    const namespace = { name, ...fields, created_at: current?.created_at ?? new Date().toISOString() };
    await this.#commit([...(current === undefined ? [{ drop: name }] : []), { put: namespace }]);
    return namespace;
  }

  /** @param {string} name @param {Partial<Namespace>} changes undefined takes a field away */
  async changeNamespace(name, changes) {
    const namespace = { ...this.#need(name), ...changes };
    await this.#commit([{ put: namespace }]);
    return namespace;
  }

  /** @param {string} name */
  async deleteNamespace(name) {
    this.#need(name);
    await this.#commit([{ drop: name }]);
  }

  /** @param {string} name @param {Omit<Memory, 'id' | 'namespace' | 'created_at' | 'order'> & { id?: string }} fields */
  async write(name, { id = randomUUID(), ...fields }) {
    this.#need(name);
    const current = this.#living(id);
    if (current !== undefined && current.namespace !== name) throw elsewhere();
    const { created_at = new Date().toISOString(), order = ++this.#order } = current ?? {};
    await this.#commit([{ write: { id, namespace: name, ...fields, created_at, order } }]);
    return { id, namespace: name };
  }

  /** @param {string} id @param {string} name */
  async forget(id, name) {
    const current = this.#living(id);
    if (current === undefined) throw new Refusal(404, 'not_found', 'There is no such memory.');
    if (current.namespace !== name) throw elsewhere();
    await this.#commit([{ forget: id }]);
  }

  /** @param {{ namespaces: string[], query?: string | undefined, embedding?: number[] | undefined, kinds?: string[] | undefined, limit: number }} search */
  search({ namespaces, query, embedding, kinds, limit }) {
    const names = new Set(namespaces.filter((name) => this.#find(name) !== undefined));
    const candidates = [...this.#memories.values()].filter(
      (memory) => names.has(memory.namespace) && !isOver(memory) && (kinds?.includes(memory.kind) ?? true),
    );
    const isQuestion = query !== undefined || embedding !== undefined;
    const scores = isQuestion ? scoreAll(candidates, { query, embedding }) : candidates.map(() => 0);
    return candidates
      .flatMap((memory, index) => (scores[index] === undefined ? [] : [{ memory, score: scores[index] }]))
      .sort(
        (one, other) =>
          Number(other.memory.pin ?? false) - Number(one.memory.pin ?? false) ||
          other.score - one.score ||
          other.memory.order - one.memory.order,
      )
      .slice(0, limit)
      .map(({ memory: { embedding: _, order: __, ...memory }, score }) => (isQuestion ? { ...memory, score } : memory));
  }

  /** @param {string} name */
  #find(name) {
    const namespace = this.#namespaces.get(name);
    return namespace === undefined || isOver(namespace) ? undefined : namespace;
  }

  /** @param {string} name */
  #need(name) {
    const namespace = this.#find(name);
    if (namespace === undefined) throw new Refusal(404, 'not_found', 'There is no such namespace.');
    return namespace;
  }

  /** @param {string} id */
  #living(id) {
    const memory = this.#memories.get(id);
    return memory === undefined || isOver(memory) || this.#find(memory.namespace) === undefined ? undefined : memory;
  }

  /** @param {Entry[]} entries */
  async #commit(entries) {
    if (!this.isWorking) throw new Refusal(503, 'unavailable', 'The store is down.');
    for (const entry of entries) this.#apply(entry);
    await this.#journal?.append(entries);
  }

  /** @param {Entry} entry */
  #apply(entry) {
    if ('put' in entry) this.#namespaces.set(entry.put.name, entry.put);
    else if ('write' in entry) {
      this.#memories.set(entry.write.id, entry.write);
      this.#order = Math.max(this.#order, entry.write.order);
    } else if ('forget' in entry) this.#memories.delete(entry.forget);
    else {
      this.#namespaces.delete(entry.drop);
      for (const { id, namespace } of this.#memories.values()) if (namespace === entry.drop) this.#memories.delete(id);
    }
  }

  /** What is left of the journal: the living. @returns {Entry[]} */
  #entries() {
    const namespaces = [...this.#namespaces.values()].filter((namespace) => !isOver(namespace));
    const memories = [...this.#memories.keys()].flatMap((id) => this.#living(id) ?? []);
    return [...namespaces.map((put) => ({ put })), ...memories.map((write) => ({ write }))];
  }
}

function elsewhere() {
  return new Refusal(403, 'forbidden', 'The memory with this id lives in another namespace.');
}
