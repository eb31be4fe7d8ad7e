import type { CallInput } from '@memhall/client/operations';
import type { JsonObject } from '../../parts/json-value.js';
import type { Bound } from './bindings.js';
import { type Operation, patchBetween } from './patch-between.js';

export interface DocumentState {
  /** null: the document does not exist, and the content is what it would begin with. */
  etag: string | null;
  content: JsonObject;
}

export interface Change {
  bound: Bound;
  base: DocumentState;
  target: JsonObject;
}

/** Operations from the root of the document: what the server applies. */
export function operationsOf({ base, target }: Pick<Change, 'base' | 'target'>): Operation[] {
  return patchBetween(base.content, target, ['content']);
}

export interface HowToSave {
  isReplaced: boolean;
  reason: 'live_update' | 'admin_migration';
  note: string;
  /** The same for each try of one change, so that it is made once. */
  key: string;
}

type Place = CallInput<'documents.patch'>['path'];

export function toPatch(place: Place, change: Change, how: HowToSave): CallInput<'documents.patch'> {
  return {
    path: place,
    headers: headersOf(change, how),
    body: { ...fieldsOf(change, how), ops: operationsOf(change) },
  };
}

export function toReplacement(place: Place, change: Change, how: HowToSave): CallInput<'documents.replace'> {
  const document = { content: { ...change.target } };
  return { path: place, headers: headersOf(change, how), body: { ...fieldsOf(change, how), document } };
}

function headersOf({ base: { etag } }: Change, { key }: HowToSave): Record<string, string> {
  return { 'idempotency-key': key, ...(etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }) };
}

function fieldsOf({ bound: { profile, binding } }: Change, { reason, note }: HowToSave) {
  return {
    profile_id: profile.profile_id,
    binding_id: binding.binding_id,
    reason,
    ...(note !== '' && { evidence: { note } }),
  };
}

/** `crypto.randomUUID` is there only on secure pages, and a server may be opened by its address in a network. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
