import { type Json, Problem } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type DocumentWrite, type WrittenDocument, writeDocument } from './write-document.js';

export interface ReplaceInput extends Omit<DocumentWrite, 'reason' | 'replaces'> {
  content: { [key: string]: Json };
  /** Given: they must be those of the binding. */
  schemaId?: string | undefined;
  schemaVersion?: string | undefined;
}

/** Puts a new content in place of the whole present one. For admins, and where the binding lets others do it. */
export function replaceDocument(engine: Engine, caller: Caller, input: ReplaceInput): Promise<WrittenDocument> {
  return writeDocument(
    engine,
    caller,
    { ...input, reason: 'admin_migration', replaces: true },
    ({ binding, validate }) => {
      const { schemaId = binding.schemaId, schemaVersion = binding.schemaVersion } = input;
      if (schemaId !== binding.schemaId || schemaVersion !== binding.schemaVersion) {
        const message = `The document says schema ${schemaId} ${schemaVersion}, the binding ${binding.schemaId} ${binding.schemaVersion}.`;
        throw new Problem('SCHEMA_VALIDATION_FAILED', message, {
          details: { schema_id: binding.schemaId, schema_version: binding.schemaVersion },
        });
      }
      validate(input.content);
      return {
        content: input.content,
        ops: [{ op: 'replace', path: '/content', value: input.content }],
        redirected: false,
      };
    },
  );
}
