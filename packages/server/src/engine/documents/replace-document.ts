import { type Json, type PatchOperation, Problem } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { admit } from './confidence-gate.js';
import { checkDenied } from './path-policy.js';
import type { Binding } from './profile.js';
import { type DocumentWrite, type WrittenDocument, writeDocument } from './write-document.js';

interface ReplaceInput extends Omit<DocumentWrite, 'reason' | 'replaces'> {
  content: { [key: string]: Json };
  /** If given, `schemaId` and `schemaVersion` must be those of the binding. */
  schemaId?: string | undefined;
  schemaVersion?: string | undefined;
}

/**
 * Replaces the whole content. Admins can always do this, others only if the binding allows it. For others, denied places must
 * stay unchanged, and evidence and confidence are checked as for a patch.
 */
export function replaceDocument(engine: Engine, caller: Caller, input: ReplaceInput): Promise<WrittenDocument> {
  const write = { ...input, reason: 'admin_migration', replaces: true };
  const isAdmin = caller.actor.roles.includes('admin');
  return writeDocument(engine, caller, write, async (context) => {
    const { profile, binding, before, now, evidence, validate } = context;
    checkSchema(binding, input);
    const content = context.secrets.replaceIn(input.content);
    const ops: PatchOperation[] = [{ op: 'replace', path: '/content', value: content }];
    if (!isAdmin) {
      const change = { before: { content: before.content }, after: { content } };
      checkDenied(binding, change.before, change.after);
      admit({ ...profile, onLowConfidence: 'refuse' }, { ...write, ...change, evidence, ops }, now);
    }
    validate(content);
    return { content, ops, redirected: false };
  });
}

function checkSchema(binding: Binding, input: ReplaceInput): void {
  const { schemaId = binding.schemaId, schemaVersion = binding.schemaVersion } = input;
  if (schemaId === binding.schemaId && schemaVersion === binding.schemaVersion) return;
  const message = `The request names schema ${schemaId} ${schemaVersion}, but the binding uses ${binding.schemaId} ${binding.schemaVersion}.`;
  throw new Problem('SCHEMA_VALIDATION_FAILED', message, {
    details: { schema_id: binding.schemaId, schema_version: binding.schemaVersion },
  });
}
