import { addFound, Problem } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import { redactUnblocked } from '../guard-models.js';
import { updateAny } from '../one-memory/change-any.js';
import { checkExpiry, type Host, type HostCaller } from './host.js';
import { fromMarkedId } from './plugin-memory-id.js';

interface Correction {
  id: string;
  content?: string | undefined;
  tags?: readonly string[] | undefined;
  isPinned?: boolean | undefined;
  /** null removes the expiry. */
  expiresAt?: Date | null | undefined;
}

/**
 * Changes a memory for a model, wherever it was written, without secrets. New content is the model's and has its trust. Throws
 * CONTENT_BLOCKED, NOT_FOUND, FORBIDDEN, OWNED_BY_RECORD or INVALID_REQUEST.
 */
export async function correctMemory(
  { engine }: Host,
  caller: HostCaller,
  { id, content, tags, ...change }: Correction,
): Promise<{ memory: Memory; redactions: number }> {
  if ([content, tags, ...Object.values(change)].every((value) => value === undefined)) {
    throw new Problem('INVALID_REQUEST', 'Give at least one of content, pin, expires_at and tags.');
  }
  if (fromMarkedId(id) !== undefined) {
    throw new Problem('OWNED_BY_RECORD', 'This memory is in a memory plugin, which cannot change it in place.', {
      details: { owner: 'plugin', call: 'commit_memory with the new text, then forget_memory' },
    });
  }
  if (change.expiresAt instanceof Date) checkExpiry(engine, change.expiresAt);
  const found = {};
  const clean = async (text: string) => {
    const redaction = await redactUnblocked(engine, caller, text);
    addFound(found, redaction.found);
    return redaction.text;
  };
  const cleaned = {
    content: content === undefined ? undefined : await clean(content),
    tags: tags && (await Promise.all(tags.map(clean))),
  };
  const memory = await updateAny(engine, caller, id.toLowerCase(), { ...change, ...cleaned }, { kind: 'none' });
  engine.telemetry.countRedactions(found);
  return { memory, redactions: Object.values<number>(found).reduce((sum, count) => sum + count, 0) };
}
