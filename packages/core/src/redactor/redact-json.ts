import type { Json } from '../json.js';
import { addFound, type FoundSecrets } from './found-secrets.js';
import { redact } from './redact.js';
import { labelOfMember } from './secret-assignments.js';
import { redactionOf } from './secret-label.js';

export interface JsonRedaction<T extends Json> {
  value: T;
  found: FoundSecrets;
}

/**
 * Redacts every string of a JSON value, including member names. A string under a name such as `OPENAI_API_KEY` is
 * treated as a secret as a whole. Recursive: callers must limit the depth of untrusted input.
 */
export function redactJson<T extends Json>(value: T): JsonRedaction<T> {
  const found: FoundSecrets = {};
  return { value: visit(value, found) as T, found };
}

/**
 * Redacts the strings of a JSON value, but not the names of members. `name` is the member that the value itself belongs to. Text of
 * members that hold ids is not redacted for looking random alone: evidence must keep pointing to what it is about. Recursive: callers
 * must limit the depth of untrusted input.
 */
export function redactValues<T extends Json>(value: T, name = ''): JsonRedaction<T> {
  const found: FoundSecrets = {};
  return { value: visitValue(value, name, found) as T, found };
}

/** Names of members that hold ids, such as `message_ids` and `snapshot_uri`. */
const idNames = /(?:^|_)(?:ids?|uri|evidence)$/;

function visitValue(value: Json, name: string, total: FoundSecrets): Json {
  if (Array.isArray(value)) return value.map((member) => visitValue(member, name, total));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([member, content]) => [member, visitValue(content, member, total)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (labelOfMember(name, value) !== undefined) return visitMember(name, value, total);
  const redaction = redact(value);
  const onlyLooksRandom = Object.keys(redaction.found).every((label) => label === 'BASE64_BLOB');
  if (onlyLooksRandom && idNames.test(name)) return value;
  addFound(total, redaction.found);
  return redaction.text;
}

function visit(value: Json, total: FoundSecrets): Json {
  if (typeof value === 'string') return redactText(value, total);
  if (Array.isArray(value)) return value.map((member) => visit(member, total));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redactText(name, total), visitMember(name, member, total)]),
  );
}

function visitMember(name: string, member: Json, total: FoundSecrets): Json {
  const label = typeof member === 'string' ? labelOfMember(name, member) : undefined;
  if (label === undefined) return visit(member, total);
  addFound(total, { [label]: 1 });
  return redactionOf(label);
}

function redactText(text: string, total: FoundSecrets): string {
  const redaction = redact(text);
  addFound(total, redaction.found);
  return redaction.text;
}
