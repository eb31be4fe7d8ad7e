import { createHash } from 'node:crypto';
import { type Json, Problem } from '@memhall/core';
import type { Memory, SearchForm } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { mutate } from '../governance/mutate.js';
import { toSearchForm } from './analysis/to-search-form.js';
import { embedNow } from './embed-now.js';
import { checkDate, checkMetadata, toContent, toTags } from './memory-input.js';
import { memoryTarget } from './memory-target.js';

/** What is left out stays as it is. */
export interface MemoryChange {
  content?: string | undefined;
  tags?: readonly string[] | undefined;
  isPinned?: boolean | undefined;
  /** null: it no longer expires. */
  expiresAt?: Date | null | undefined;
  metadata?: { [key: string]: Json } | undefined;
}

/** Changes a memory in place; new content is embedded anew. undefined: there is none, or none that the caller may see. */
export async function updateMemory(
  engine: Engine,
  caller: Caller,
  id: string,
  change: MemoryChange,
): Promise<Memory | undefined> {
  const content = change.content === undefined ? undefined : toContent(change.content);
  const tags = change.tags === undefined ? undefined : toTags(change.tags);
  if (change.metadata !== undefined) checkMetadata(change.metadata);
  if (change.expiresAt instanceof Date) checkDate('expires_at', change.expiresAt);
  const form = content === undefined ? null : await toForm(engine, caller, content);
  const updated = await mutate(engine, caller, async (tables, now) => {
    const [current] = await tables.memories.getMany([id], now);
    if (current === undefined) return { result: undefined, mutations: [] };
    if (current.partition.kind === 'public' && current.userId !== caller.userId) {
      throw new Problem('FORBIDDEN', 'Only who made a public memory may change it.');
    }
    if (current.partition.kind !== 'user') tables.memories.lock(current.partition);
    const next: Memory = {
      ...current,
      ...(content === undefined ? {} : { content, contentHash: createHash('sha256').update(content).digest('hex') }),
      tags: tags ?? current.tags,
      isPinned: change.isPinned ?? current.isPinned,
      expiresAt: change.expiresAt === undefined ? current.expiresAt : change.expiresAt,
      metadata: change.metadata ?? current.metadata,
      updatedAt: now,
    };
    tables.memories.update(next, form);
    const mutation = { target: memoryTarget(next), preEtag: null, postEtag: null, contentHash: next.contentHash };
    return { result: next, mutations: [mutation] };
  });
  if (updated !== undefined && engine.embedder !== null && form?.embedding === null)
    engine.onUnembedded(caller.tenantId);
  return updated;
}

async function toForm(engine: Engine, caller: Caller, content: string): Promise<SearchForm> {
  const language = await engine.languages.of(scopeOf(caller));
  const [vector] = (await embedNow(engine, [content])) ?? [];
  const { embedder } = engine;
  return toSearchForm(content, language, vector && embedder ? { model: embedder.model, vector } : null);
}
