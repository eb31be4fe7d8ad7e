import { type Json, jsonEqual } from './json.js';
import { JsonDraft } from './json-draft.js';
import { formatPointer, getChild, parsePointer } from './json-pointer.js';
import { PairedArray } from './paired-array.js';

/** Why a change cannot be made on both sides. */
export class Divergence extends Error {
  /** Pointer into the document here. */
  readonly path: string;

  constructor(path: readonly string[], reason: string) {
    super(reason);
    this.path = formatPointer(path);
  }
}

/** What is known of a value that is on both sides; its contents are compared before anything in it changes. */
interface Pair {
  contents?: Contents | undefined;
  /** Others made the same change: what it made is theirs too, and may be added to, but not changed again. */
  agreed?: boolean;
}

interface Contents {
  /** By name of the member, or id of the element. */
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
 * Two versions of a document, one here and one there, to which the same changes are made. They never differ in more than
 * they did at first: where they do, others made a change. Pointers that go in are those of here, pointers that come out
 * are those of there. A change must be possible here; where it does not fit there, Divergence is thrown.
 */
export class PairedDocuments {
  readonly #here: JsonDraft;
  readonly #there: JsonDraft;
  readonly #root: Pair = {};

  constructor(here: Json, there: Json) {
    this.#here = new JsonDraft(here);
    this.#there = new JsonDraft(there);
  }

  /** The value here, to be put in other places too. */
  take(pointer: string): Json {
    const value = this.#here.get(parsePointer(pointer));
    this.#here.share(value);
    return value;
  }

  /** Finds what must have this value there. */
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
    if (gap === undefined) throw new Divergence(path, 'the elements around it were changed or removed');
    const pathThere = [...parent.pathThere, key === '-' ? key : String(gap)];
    elements.insert(index, gap);
    this.#here.add(path, value);
    this.#there.add(pathThere, value);
    return formatPointer(pathThere);
  }

  /** Sets a member or an element that others left as it was, or set to the same value. */
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

  /** Undefined if others removed the member as well. */
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

  /** A place where no change would undo one that others made as well. */
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
  return new Divergence(path, 'it was changed or removed meanwhile');
}
