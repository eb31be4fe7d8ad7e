import {
  applyPatch,
  formatPointer,
  getAt,
  isPointer,
  type Json,
  type PatchOperation,
  Problem,
  parsePointer,
} from '@memhall/core';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { admit, tooLow } from './confidence-gate.js';
import type { Addition } from './document-watcher.js';
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
  const additions = additionsOf(input.ops);
  return writeDocument(engine, caller, { ...input, replaces: false, additions }, (context) =>
    draftPatch(context, input),
  );
}

/** Positions do not matter for what is added to a list: it is cut as a list of this one element. */
function additionsOf(ops: readonly PatchOperation[]): Addition[] {
  return ops.flatMap((operation) => {
    if ((operation.op !== 'add' && operation.op !== 'replace') || !isPointer(operation.path)) return [];
    const segments = parsePointer(operation.path);
    const isElement = /^(?:\d+|-)$/.test(segments.at(-1) ?? '');
    return isElement
      ? [{ segments: segments.slice(0, -1), value: [operation.value] }]
      : [{ segments, value: operation.value }];
  });
}

async function draftPatch(context: DraftContext, input: PatchInput): Promise<Draft> {
  const { profile, binding, before, now, evidence, validate } = context;
  checkPathPolicy(binding, input.ops);
  const ops = context.secrets.replaceInPatch(input.ops);
  const after = apply(before, ops);
  const admitted = admit(profile, { ...input, ops, evidence, before: toJson(before), after }, now);
  if (admitted.redirected) {
    return draftQuestions(before, admitted.ops, profile.sections.pending ?? [], validate, (cause) =>
      tooLow(
        input,
        admitted.needed,
        'The confidence is too low, and this document has no place for a question about it.',
        cause,
      ),
    );
  }
  const content = contentOf(after);
  validate(content);
  return { content, ops, redirected: false };
}

/** Throws the problem from `refuse` if the binding's documents have no room for questions. */
async function draftQuestions(
  before: DraftContext['before'],
  questions: readonly PatchOperation[],
  pending: readonly string[],
  validate: DraftContext['validate'],
  refuse: (cause: Problem) => Problem,
): Promise<Draft> {
  const start: PatchOperation[] =
    getAt(toJson(before), pending) === undefined ? [{ op: 'add', path: formatPointer(pending), value: [] }] : [];
  const ops = [...start, ...questions];
  try {
    const content = contentOf(apply(before, ops));
    validate(content);
    return { content, ops, redirected: true };
  } catch (error) {
    throw error instanceof Problem ? refuse(error) : error;
  }
}

function apply(before: DraftContext['before'], ops: readonly PatchOperation[]): Json {
  return applyPatch(toJson(before), ops, { maxBytes: maxDocumentChars * 4 });
}

function toJson({ content }: DraftContext['before']): Json {
  return { content };
}

function contentOf(document: Json): Json {
  return getAt(document, ['content']) ?? null;
}
