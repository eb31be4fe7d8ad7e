import type { Json } from '../json.js';
import { addFound, type FoundSecrets } from './found-secrets.js';
import { redact } from './redact.js';
import { labelOfMember } from './secret-assignments.js';
import { type OptionalLabel, redactionOf } from './secret-label.js';

export interface JsonRedaction<T extends Json> {
  value: T;
  found: FoundSecrets;
}

/**
 * Redacts every string of a JSON value, including member names. A string under a name such as `OPENAI_API_KEY` is
 * treated as a secret as a whole. Recursive: callers must limit the depth of untrusted input.
 */
export function redactJson<T extends Json>(value: T, also: readonly OptionalLabel[] = []): JsonRedaction<T> {
  const found: FoundSecrets = {};
  return { value: visit(value, { found, also }) as T, found };
}

/**
 * Redacts the strings of a JSON value, but not the names of members. `name` is the member that the value itself belongs to. Text of
 * members that hold ids is not redacted for looking random alone: evidence must keep pointing to what it is about. Recursive: callers
 * must limit the depth of untrusted input.
 */
export function redactValues<T extends Json>(
  value: T,
  name = '',
  also: readonly OptionalLabel[] = [],
): JsonRedaction<T> {
  const found: FoundSecrets = {};
  return { value: visitValue(value, name, { found, also }) as T, found };
}

/** What one call looks for, and what it found. */
interface Visit {
  found: FoundSecrets;
  also: readonly OptionalLabel[];
}

/** Names of members that hold ids, such as `message_ids` and `snapshot_uri`. */
const idNames = /(?:^|_)(?:ids?|uri|evidence)$/;

function visitValue(value: Json, name: string, seen: Visit): Json {
  if (Array.isArray(value)) return value.map((member) => visitValue(member, name, seen));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([member, content]) => [member, visitValue(content, member, seen)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (labelOfMember(name, value) !== undefined) return visitMember(name, value, seen);
  const redaction = redact(value, seen.also);
  const onlyLooksRandom = Object.keys(redaction.found).every((label) => label === 'BASE64_BLOB');
  if (onlyLooksRandom && idNames.test(name)) return value;
  addFound(seen.found, redaction.found);
  return redaction.text;
}

function visit(value: Json, seen: Visit): Json {
  if (typeof value === 'string') return redactText(value, seen);
  if (Array.isArray(value)) return value.map((member) => visit(member, seen));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redactText(name, seen), visitMember(name, member, seen)]),
  );
}

function visitMember(name: string, member: Json, seen: Visit): Json {
  const label = typeof member === 'string' ? labelOfMember(name, member) : undefined;
  if (label === undefined) return visit(member, seen);
  addFound(seen.found, { [label]: 1 });
  return redactionOf(label);
}

function redactText(text: string, seen: Visit): string {
  const redaction = redact(text, seen.also);
  addFound(seen.found, redaction.found);
  return redaction.text;
}
