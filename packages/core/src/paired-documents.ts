import { type Json, jsonEqual } from './json.js';
import { JsonDraft } from './json-draft.js';
import { formatPointer, getChild, parsePointer } from './json-pointer.js';
import { PairedArray } from './paired-array.js';

/** The reason why a change cannot be made on both sides. */
export class Divergence extends Error {
  /** Pointer into the `here` document. */
  readonly path: string;

  constructor(path: readonly string[], reason: string) {
    super(reason);
    this.path = formatPointer(path);
  }
}

/** State of a value that exists on both sides. Its contents are compared before anything inside it changes. */
interface Pair {
  contents?: Contents | undefined;
  /** The other side made the same change. The result belongs to both, so it may be added to but not changed again. */
  agreed?: boolean;
}

interface Contents {
  /** Keyed by member name or element id. */
  children: Map<string | number, Pair>;
  elements: PairedArray | undefined;
}

interface Place {
  path: string[];
  pathThere: string[];
  here: Json | undefined;
  there: Json | undefined;
  pair: Pair;
  parent: Place | undefined;
}

/**
 * Two versions of a document, `here` and `there`, to which the same changes are applied. Every difference between them
 * existed at the start and is a change made by others. Methods take pointers into `here` and return pointers into
 * `there`. A change must be valid here. If it does not fit there, the method throws Divergence.
 */
export class PairedDocuments {
  readonly #here: JsonDraft;
  readonly #there: JsonDraft;
  readonly #root: Pair = {};

  constructor(here: Json, there: Json) {
    this.#here = new JsonDraft(here);
    this.#there = new JsonDraft(there);
  }

  /** Returns the value here so that the caller can also place it elsewhere. */
  take(pointer: string): Json {
    const value = this.#here.get(parsePointer(pointer));
    this.#here.share(value);
    return value;
  }

  /** Returns the pointer there. Throws Divergence unless that value equals `value`. */
  locate(pointer: string, value: Json): string {
    const { path, pathThere, there } = this.#find(parsePointer(pointer));
    if (there === undefined || !jsonEqual(there, value)) throw changed(path);
    return formatPointer(pathThere);
  }

  add(pointer: string, value: Json): string {
    const path = parsePointer(pointer);
    const key = path.at(-1);
    if (key === undefined) return this.replace(pointer, value);
    const parent = this.#find(path.slice(0, -1));
    const { elements } = enter(parent);
    if (elements === undefined) return this.replace(pointer, value);
    const index = key === '-' ? elements.lengthHere : Number(key);
    const gap = key === '-' ? elements.lengthThere : elements.findGap(index);
    if (gap === undefined) throw new Divergence(path, 'the neighbouring elements were changed or removed');
    const pathThere = [...parent.pathThere, key === '-' ? key : String(gap)];
    elements.insert(index, gap);
    this.#here.add(path, value);
    this.#there.add(pathThere, value);
    return formatPointer(pathThere);
  }

  /** Sets a member or an element that others left unchanged or set to the same value. */
  replace(pointer: string, value: Json): string {
    const { path, pathThere, here, there, pair, parent } = this.#findOwn(parsePointer(pointer));
    if (differ(here, there)) {
      if (there === undefined || !jsonEqual(there, value)) throw changed(path);
      pair.agreed = true;
    }
    pair.contents = undefined;
    const operation = Array.isArray(parent?.here) ? 'replace' : 'add';
    this.#here[operation](path, value);
    this.#there[operation](pathThere, value);
    return formatPointer(pathThere);
  }

  /** Returns undefined if others removed the member as well. */
  remove(pointer: string): string | undefined {
    const { path, pathThere, here, there, pair, parent } = this.#findOwn(parsePointer(pointer));
    if (there === undefined) pair.agreed = true;
    else if (differ(here, there)) throw changed(path);
    pair.contents = undefined;
    parent?.pair.contents?.elements?.remove(Number(path.at(-1)), Number(pathThere.at(-1)));
    this.#here.remove(path);
    if (there === undefined) return undefined;
    this.#there.remove(pathThere);
    return formatPointer(pathThere);
  }

  /** Finds a place. Throws Divergence if changing it would undo a change that others made as well. */
  #findOwn(path: readonly string[]): Place {
    const place = this.#find(path);
    if (holdsAgreed(place.pair)) throw changed(place.path);
    for (let outer = place.parent; outer !== undefined && place.here !== undefined; outer = outer.parent) {
      if (outer.pair.agreed) throw changed(outer.path);
    }
    return place;
  }

  #find(path: readonly string[]): Place {
    let place: Place = {
      path: [],
      pathThere: [],
      here: this.#here.root,
      there: this.#there.root,
      pair: this.#root,
      parent: undefined,
    };
    for (const key of path) place = step(place, key);
    return place;
  }
}

function step(parent: Place, key: string): Place {
  const path = [...parent.path, key];
  const { elements, children } = enter(parent);
  const index = elements?.find(Number(key));
  if (elements !== undefined && index === undefined) throw changed(path);
  const keyThere = index === undefined ? key : String(index);
  const id = elements === undefined ? key : elements.idAt(Number(key));
  const pair = children.get(id) ?? {};
  children.set(id, pair);
  return {
    path,
    pathThere: [...parent.pathThere, keyThere],
    here: getChild(parent.here ?? null, key),
    there: getChild(parent.there ?? null, keyThere),
    pair,
    parent,
  };
}

function enter({ path, here, there, pair }: Place): Contents {
  if (Array.isArray(here) && Array.isArray(there)) {
    pair.contents ??= { children: new Map(), elements: new PairedArray(here, there) };
  } else if (isObject(here) && isObject(there)) {
    pair.contents ??= { children: new Map(), elements: undefined };
  } else {
    throw changed(path);
  }
  return pair.contents;
}

function holdsAgreed({ agreed = false, contents }: Pair): boolean {
  return agreed || [...(contents?.children.values() ?? [])].some(holdsAgreed);
}

function isObject(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function differ(here: Json | undefined, there: Json | undefined): boolean {
  return here === undefined || there === undefined ? here !== there : !jsonEqual(here, there);
}

function changed(path: readonly string[]): Divergence {
  return new Divergence(path, 'it was changed or removed concurrently');
}
