import { type Json, jsonEqual, Problem } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { RegisteredSchema } from '../../ports/registry.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import type { SlowResults } from '../slow-results.js';
import type { ErasedWords } from './erase-words.js';
import { prepareStored } from './follow-stored.js';
import { writeUnbound } from './write-unbound.js';

/**
 * Removes the words of an author from a document, as a new version. Where the schema demands a text, a mark takes its place. Returns
 * whether the document had any of the words.
 */
export async function removeAuthor(
  engine: Engine,
  caller: Caller,
  place: DocumentPlace,
  words: ErasedWords,
): Promise<boolean> {
  const follow = await prepareStored(engine, caller, place);
  return mutate(engine, caller, async (tables, now, slow) => {
    const stored = await tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path });
    if (stored === undefined || jsonEqual(words.inValue(stored.body.content), stored.body.content)) {
      return { result: false, mutations: [] };
    }
    const { schema_id, schema_version, content: before } = stored.body;
    const schema = await engine.registry.schema(tables, caller.tenantId, schema_id, schema_version);
    const content = firstValid({ engine, slow }, schema, [words.without(before), words.inValue(before)]);
    const ops = [{ op: 'replace', path: '/content', value: content } as const];
    const change = { stored, content, ops, reason: 'erasure', follow };
    const { mutations } = await writeUnbound(tables, caller, place, change, now);
    return { result: true, mutations };
  });
}

/** Returns the first content that the schema accepts, or the first of all: the words must go in any case. */
function firstValid(
  { engine, slow }: { engine: Engine; slow: SlowResults },
  schema: RegisteredSchema | undefined,
  candidates: readonly (Json | undefined)[],
): DocumentBody['content'] {
  const contents = candidates.map((content) => (content ?? {}) as DocumentBody['content']);
  for (const content of schema === undefined ? [] : contents) {
    try {
      engine.registry.schemas.validate(slow, schema as RegisteredSchema, content);
      return content;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return contents[0] ?? {};
}
