import { type Json, jsonEqual } from './json.js';
import { JsonDraft, Refusal } from './json-draft.js';
import type { PatchOperation } from './json-patch.js';
import { parsePointer, startsWithSegments } from './json-pointer.js';
import { Problem } from './problem.js';
import { maxJsonDepth } from './text.js';

const maxShownLength = 500;

export interface ApplyPatchOptions {
  /**
   * Throws Problem DOCUMENT_SIZE_EXCEEDED if the resulting JSON certainly has more bytes than this, or if any operation
   * grows the document to more than twice this size. The second check stops copies of copies before they blow up.
   * Escapes are not counted, so the JSON of an accepted document can still have up to six times as many bytes.
   */
  maxBytes?: number;
}

/**
 * Returns the document after all operations of a JSON Patch (RFC 6902). Throws Problem PATCH_APPLY_FAILED with
 * `details` {index, op, path, reason} if an operation fails. The input is not changed. The result shares untouched
 * parts with the document and the operations, so none of them may be changed in place afterwards.
 *
 * The whole document can be added, replaced, tested, copied and overwritten by a move, but not removed: a document
 * always has a value. Values may not be nested so that the document exceeds `maxJsonDepth`; the given document must not
 * exceed it either.
 */
export function applyPatch(
  document: Json,
  operations: readonly PatchOperation[],
  { maxBytes = Number.POSITIVE_INFINITY }: ApplyPatchOptions = {},
): Json {
  const draft = new JsonDraft(document);
  // An upper bound, because removals are not subtracted. Past a limit the document is measured again.
  let mostBytes = maxBytes === Number.POSITIVE_INFINITY ? 0 : draft.sizeOf(document).length;
  const ceiling = 2 * Math.max(maxBytes, mostBytes);
  for (const [index, operation] of operations.entries()) {
    mostBytes += attempt(draft, operation, index);
    if (mostBytes > ceiling) mostBytes = draft.sizeOf(draft.root).length;
    if (mostBytes > ceiling) throw sizeExceeded(maxBytes);
  }
  if (mostBytes > maxBytes && draft.sizeOf(draft.root).length > maxBytes) throw sizeExceeded(maxBytes);
  return draft.root;
}

function attempt(draft: JsonDraft, operation: PatchOperation, index: number): number {
  try {
    return applyOperation(draft, operation);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { op } = operation;
    const path = shorten(operation.path);
    const reason = shorten(error.message);
    throw new Problem('PATCH_APPLY_FAILED', `Operation ${index} (${op} ${path}) does not apply: ${reason}.`, {
      details: { index, op, path, reason },
    });
  }
}

/** Pointers come from the client and can be as long as a request. */
function shorten(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}

/** Changes the draft and returns an upper bound on the number of JSON characters added. */
function applyOperation(draft: JsonDraft, operation: PatchOperation): number {
  const path = parsePointer(operation.path);
  switch (operation.op) {
    case 'add':
      draft.add(path, operation.value);
      return measure(draft, path, operation.value);
    case 'replace':
      draft.replace(path, operation.value);
      return measure(draft, path, operation.value);
    case 'remove':
      draft.remove(path);
      return 0;
    case 'copy': {
      const value = draft.get(parsePointer(operation.from));
      draft.share(value);
      draft.add(path, value);
      return measure(draft, path, value);
    }
    case 'move':
      return move(draft, parsePointer(operation.from), path);
    case 'test':
      if (!jsonEqual(draft.get(path), operation.value)) throw new Refusal('the value there is different');
      return 0;
  }
}

function move(draft: JsonDraft, from: readonly string[], path: readonly string[]): number {
  const value = draft.get(from);
  if (startsWithSegments(from, path)) {
    if (from.length < path.length) throw new Refusal('a value cannot be moved into itself');
    return 0;
  }
  draft.remove(from);
  draft.add(path, value);
  return measure(draft, path, value);
}

function sizeExceeded(maxBytes: number): Problem {
  const message = `The patch would make the document larger than ${maxBytes} bytes.`;
  return new Problem('DOCUMENT_SIZE_EXCEEDED', message, { details: { max_bytes: maxBytes } });
}

function measure(draft: JsonDraft, path: readonly string[], value: Json): number {
  const { length, height } = draft.sizeOf(value);
  if (path.length + height > maxJsonDepth) throw new Refusal(`it would nest deeper than ${maxJsonDepth} levels`);
  return length + (path.at(-1)?.length ?? 0) + 4;
}
