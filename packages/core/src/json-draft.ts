import type { Json } from './json.js';
import { formatPointer, getAt, getChild, toArrayIndex } from './json-pointer.js';
import { type JsonSize, JsonSizes } from './json-sizes.js';

type Container = Json[] | { [key: string]: Json };

/** The reason why a change cannot be made, phrased as the end of a sentence. */
export class Refusal extends Error {}

/**
 * A copy-on-write document. A container is copied once, on its first change, and then changed in place. Everything else
 * is shared with the original document, which is never changed. An owned container is only ever inside owned
 * containers.
 */
export class JsonDraft {
  #root: Json;
  readonly #owned = new WeakSet<object>();
  readonly #sizes = new JsonSizes();

  constructor(document: Json) {
    this.#root = document;
  }

  get root(): Json {
    return this.#root;
  }

  get(path: readonly string[]): Json {
    const value = getAt(this.#root, path);
    if (value === undefined) throw missing(path);
    return value;
  }

  add(path: readonly string[], value: Json): void {
    const key = path.at(-1);
    if (key === undefined) {
      this.#root = value;
      return;
    }
    const parent = this.#openParent(path);
    if (!Array.isArray(parent)) {
      setMember(parent, key, value);
      return;
    }
    const index = key === '-' ? parent.length : toArrayIndex(key);
    if (index === undefined) throw new Refusal(`${JSON.stringify(key)} is not an array index`);
    if (index > parent.length) throw new Refusal(`the array has only ${parent.length} elements`);
    parent.splice(index, 0, value);
  }

  replace(path: readonly string[], value: Json): void {
    this.get(path);
    const key = path.at(-1);
    if (key === undefined) this.#root = value;
    else setChild(this.#openParent(path), key, value);
  }

  remove(path: readonly string[]): void {
    this.get(path);
    const key = path.at(-1);
    if (key === undefined) throw new Refusal('the whole document cannot be removed');
    const parent = this.#openParent(path);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }

  /**
   * Must be called before a value is placed in a second position. From then on the value is copied before it changes.
   */
  share(value: Json): void {
    if (value === null || typeof value !== 'object' || !this.#owned.delete(value)) return;
    for (const child of Object.values(value)) this.share(child);
  }

  sizeOf(value: Json): JsonSize {
    return this.#sizes.of(value);
  }

  #openParent(path: readonly string[]): Container {
    let parent = this.#open(this.#root, []);
    this.#root = parent;
    for (const [depth, key] of path.slice(0, -1).entries()) {
      const place = path.slice(0, depth + 1);
      const child = getChild(parent, key);
      if (child === undefined) throw missing(place);
      const open = this.#open(child, place);
      if (open !== child) setChild(parent, key, open);
      parent = open;
    }
    return parent;
  }

  /** Returns the container if this draft owns it, or else an owned copy that can be changed in place. */
  #open(value: Json, path: readonly string[]): Container {
    if (value === null || typeof value !== 'object') {
      throw new Refusal(`${formatPointer(path) || 'the document'} is neither an object nor an array`);
    }
    this.#sizes.forget(value);
    if (this.#owned.has(value)) return value;
    const copy = Array.isArray(value) ? value.slice() : { ...value };
    this.#owned.add(copy);
    return copy;
  }
}

function setChild(parent: Container, key: string, child: Json): void {
  if (Array.isArray(parent)) parent[Number(key)] = child;
  else setMember(parent, key, child);
}

/** Defines the member instead of assigning it, so that `__proto__` is a member like any other. */
function setMember(parent: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

function missing(path: readonly string[]): Refusal {
  return new Refusal(`there is nothing at ${formatPointer(path)}`);
}
