import type { Json } from '@memhall/core';
import type { DocumentPlace, DocumentState } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { documentAt } from './document-at.js';

/**
 * Returns a document as it was at a moment, to be shown; undefined if it did not exist then. Records do not have the order of members, so
 * it is that of the stored document. Members that were removed since follow, by name.
 */
export async function documentThen(tables: Tables, place: DocumentPlace, at: Date): Promise<DocumentState | undefined> {
  const [state, stored] = await Promise.all([
    documentAt(tables, place, { at }),
    tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path }),
  ]);
  if (state === undefined || stored === undefined) return state;
  const content = inOrderOf(state.body.content, stored.body.content) as DocumentState['body']['content'];
  return { ...state, body: { ...state.body, content } };
}

/** Returns the same value with its members in the order of another one. Elements of lists are compared by position. */
export function inOrderOf(value: Json, like: Json | undefined): Json {
  if (value === null || typeof value !== 'object' || like === null || typeof like !== 'object') return value;
  if (Array.isArray(value)) {
    const others = Array.isArray(like) ? like : [];
    // Elements of a list are mostly alike: what is not there any more has the order of the first one.
    return value.map((element, index) => inOrderOf(element, others[index] ?? others[0]));
  }
  const known = Array.isArray(like) ? {} : like;
  const names = [
    ...Object.keys(known).filter((name) => Object.hasOwn(value, name)),
    ...Object.keys(value).filter((name) => !Object.hasOwn(known, name)),
  ];
  return Object.fromEntries(
    names.map((name) => [name, inOrderOf(value[name] ?? null, Object.hasOwn(known, name) ? known[name] : undefined)]),
  );
}
