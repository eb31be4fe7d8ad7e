import { applyPatch, formatPointer, getAt, type Json, type PatchOperation, Problem } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Admitted, admit } from './confidence-gate.js';
import { checkPathPolicy } from './path-policy.js';
import { maxDocumentChars } from './profile-shape.js';
import {
  type DocumentWrite,
  type Draft,
  type DraftContext,
  type WrittenDocument,
  writeDocument,
} from './write-document.js';

export interface PatchInput extends Omit<DocumentWrite, 'replaces'> {
  ops: readonly PatchOperation[];
}

export function patchDocument(engine: Engine, caller: Caller, input: PatchInput): Promise<WrittenDocument> {
  return writeDocument(engine, caller, { ...input, replaces: false }, (context) => draftPatch(context, input));
}

function draftPatch({ profile, binding, before, now, validate }: DraftContext, input: PatchInput): Draft {
  checkPathPolicy(binding, input.ops);
  const content = apply(before, input.ops);
  const admitted = admit(profile, input, now);
  if (admitted.redirected) return draftQuestions(before, admitted, profile.sections.pending ?? [], validate);
  validate(content);
  return { content, ops: input.ops, redirected: false };
}

/** Where the binding's documents have no room for questions, what is not sure enough is refused after all. */
function draftQuestions(
  before: DraftContext['before'],
  { ops }: Admitted,
  pending: readonly string[],
  validate: (content: Json) => void,
): Draft {
  const start: PatchOperation[] =
    getAt(before as unknown as Json, pending) === undefined
      ? [{ op: 'add', path: formatPointer(pending), value: [] }]
      : [];
  const all = [...start, ...ops];
  try {
    const content = apply(before, all);
    validate(content);
    return { content, ops: all, redirected: true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(
      'CONFIDENCE_TOO_LOW',
      'This is not sure enough, and this document has no place to ask about it.',
      {
        cause: error,
      },
    );
  }
}

function apply(before: DraftContext['before'], ops: readonly PatchOperation[]): Json {
  const after = applyPatch({ content: before.content }, ops, { maxBytes: maxDocumentChars * 4 });
  return getAt(after, ['content']) ?? null;
}
