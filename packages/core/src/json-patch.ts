import type { Json } from './json.js';
import { isPointer } from './json-pointer.js';
import { Problem } from './problem.js';

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: Json }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string };

const pointerRule = 'must be a JSON Pointer: "" or text that starts with "/", with "~" written "~0" inside a name';

/**
 * Validates untrusted input and returns its operations with only the members that RFC 6902 defines.
 * Throws Problem INVALID_PATCH for the first fault. `details` has the operation's index, the member and the reason.
 * The input must be parsed JSON; `value` members are not checked any further.
 */
export function checkPatch(value: unknown): PatchOperation[] {
  if (!Array.isArray(value)) {
    throw new Problem('INVALID_PATCH', 'A JSON Patch must be an array of operations.', {
      details: { reason: 'must be an array of operations' },
    });
  }
  return value.map(checkOperation);
}

function checkOperation(value: unknown, index: number): PatchOperation {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw fault(index, undefined, 'must be an object with the members op and path');
  }
  const members = value as Record<string, unknown>;
  const op = member(members, 'op');
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return { op, path: pointer(members, 'path', index), value: requiredValue(members, index) };
    case 'remove':
      return { op, path: pointer(members, 'path', index) };
    case 'move':
    case 'copy':
      return { op, from: pointer(members, 'from', index), path: pointer(members, 'path', index) };
    default:
      throw fault(index, 'op', 'must be one of add, remove, replace, move, copy or test');
  }
}

function member(members: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function pointer(members: Record<string, unknown>, name: 'path' | 'from', index: number): string {
  const text = member(members, name);
  if (typeof text !== 'string' || !isPointer(text)) throw fault(index, name, pointerRule);
  return text;
}

function requiredValue(members: Record<string, unknown>, index: number): Json {
  const value = member(members, 'value');
  if (value === undefined) throw fault(index, 'value', 'is required; null is allowed');
  return value as Json;
}

function fault(index: number, name: string | undefined, reason: string): Problem {
  const subject = name === undefined ? `Operation ${index}` : `"${name}" of operation ${index}`;
  const details = name === undefined ? { index, reason } : { index, member: name, reason };
  return new Problem('INVALID_PATCH', `${subject} ${reason}.`, { details });
}
