import { type FoundSecrets, type Json, Problem, redact } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import type { Trust } from '../../ports/memory-origin.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { isLong, readLongBetween } from '../read-long.js';
import { lowestTrust } from '../trust.js';
import { searchText } from './analysis/to-search-form.js';
import { embedNow } from './embed-now.js';
import { getForChange } from './get-for-change.js';
import { isRebuilt } from './kinds.js';
import { checkDate, checkMetadata, toContent, toTags } from './memory-input.js';
import { memoryMutation } from './memory-target.js';
import { hashOf } from './new-memory.js';
import { originOfWrite, toOrigin } from './origin-of-write.js';
import { type ReadText, readTextsTask, sizeOfTexts } from './read-texts.js';

/** Fields that are undefined stay unchanged. */
export interface MemoryChange {
  /**
   * New content has the origin of its writer: an edit by a model does not keep the trust of a user, and an edit by the user is
   * the user's statement, even if an agent wrote the text before.
   */
  content?: string | undefined;
  tags?: readonly string[] | undefined;
  isPinned?: boolean | undefined;
  /** null removes the expiry. */
  expiresAt?: Date | null | undefined;
  /** Lowers the trust; a higher level than it would have has no effect. */
  trust?: Trust | undefined;
  metadata?: { [key: string]: Json } | undefined;
}

interface UpdateOptions {
  /** Throws if the memory must not be changed in its present state. */
  check?: ((current: Memory) => void) | undefined;
  /** Does what follows from a new text, in the transaction. Returns the changes for the audit log. */
  followed?: ((tables: Tables, memory: Memory, now: Date) => Promise<Mutation[]>) | undefined;
}

/**
 * Changes a memory in place; new content is embedded again. Returns undefined if the memory does not exist or the
 * caller may not see it.
 */
export async function updateMemory(
  engine: Engine,
  caller: Caller,
  id: string,
  change: MemoryChange,
  { check, followed }: UpdateOptions = {},
): Promise<Memory | undefined> {
  const content = change.content === undefined ? undefined : toContent(change.content);
  const tags = change.tags === undefined ? undefined : toTags(change.tags);
  if (change.metadata !== undefined) checkMetadata(change.metadata);
  if (change.expiresAt instanceof Date) checkDate('expires_at', change.expiresAt);
  const language = await engine.tenants.language(scopeOf(caller));
  // Whether secrets must be removed depends on the kind, which is known only later. Content with a secret is therefore
  // embedded in the background.
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const embeddable = content !== undefined && !isLong(content.length) && redact(content, also).text === content;
  const [vector] = (embeddable ? await embedNow(engine, [content]) : undefined) ?? [];
  let waits = false;
  let found: FoundSecrets = {};
  const updated = await mutate(engine, caller, async (tables, now, slow) => {
    const [current] = await getForChange(tables, [id], now);
    if (current === undefined) return { result: undefined, mutations: [] };
    check?.(current);
    if (current.partition.kind === 'public' && current.userId !== caller.userId) {
      throw new Problem('FORBIDDEN', 'Only the author of a public memory can change it.');
    }
    const { kind, role, cue } = current;
    const texts = [{ kind, role, cue, ...given(current, change, content) }];
    const read = readLongBetween(engine, slow, readTextsTask, { texts, also, language }, sizeOfTexts(texts));
    const { text, form, found: secrets } = read[0] as ReadText;
    const next = toChanged(caller, current, { ...change, tags }, text, now);
    const isSameText = next.contentHash === current.contentHash;
    found = secrets;
    // The vector above covers only the content; if there is a cue, the correct vector is computed in the background.
    const embedding = vector && engine.embedder && next.cue === null ? { model: engine.embedder.model, vector } : null;
    const reworded = content !== undefined || searchText(next) !== searchText(current);
    waits = reworded && embedding === null && engine.embedder !== null;
    tables.memories.update(next, reworded ? { ...form, embedding } : null, { keepsVersion: !isRebuilt(next.kind) });
    const after = isSameText ? [] : ((await followed?.(tables, next, now)) ?? []);
    return { result: next, mutations: [memoryMutation(next, next.contentHash), ...after] };
  });
  if (waits) engine.onUnembedded(caller.tenantId);
  engine.telemetry.countRedactions(found);
  return updated;
}

function given(current: Memory, { metadata }: MemoryChange, content: string | undefined) {
  return { content: content ?? current.content, metadata: metadata ?? current.metadata };
}

/** Returns a memory as it is after a change; `text` is without secrets. */
function toChanged(
  caller: Caller,
  current: Memory,
  { tags, isPinned, expiresAt, trust }: MemoryChange,
  text: Pick<Memory, 'content' | 'cue' | 'metadata'>,
  now: Date,
): Memory {
  const contentHash = hashOf(text.content);
  const isSameText = contentHash === current.contentHash;
  const origin = isSameText ? toOrigin(current) : originOfWrite(caller, { kind: current.kind });
  return {
    ...current,
    ...text,
    ...origin,
    trust: lowestTrust(origin.trust, trust),
    contentHash,
    tags: tags === undefined ? current.tags : [...tags],
    isPinned: isPinned ?? current.isPinned,
    expiresAt: expiresAt === undefined ? current.expiresAt : expiresAt,
    updatedAt: now,
  };
}
