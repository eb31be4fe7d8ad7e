import { type Memory, type OutdatedMemory, partitionKey, type SearchForm } from '../../ports/memories.js';
import type { Scope } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import { analysisName, type Language } from './analysis/language.js';
import { searchText, toSearchForm } from './analysis/to-search-form.js';
import { embedContents } from './embed-contents.js';

const batchSize = 64;

export interface FormBacklog {
  count: number;
  /** Since when the oldest of them waits. */
  oldest: Date | null;
}

/**
 * Brings a tenant's memories into the form that recall compares now: vectors of the present embedder, words by the rules
 * of the tenant's language. Recall works meanwhile with what each memory has. Answers how many were brought up to date;
 * a memory that changes meanwhile is left for the next round.
 */
export async function refreshForms(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<number> {
  const language = await engine.languages.of({ tenantId, userId: null });
  const wanted = { model: engine.embedder?.model ?? null, analysis: analysisName(language) };
  let done = 0;
  for (;;) {
    signal?.throwIfAborted();
    const batch = await engine.store.inspect(tenantId, (tables) => tables.memories.outdated(wanted, batchSize));
    if (batch.length === 0) return done;
    const forms = await toForms(engine, batch, language, signal);
    for (const members of groupByWriter(batch.map(({ memory }) => memory)).values()) {
      await engine.store.write(writerScope(tenantId, members[0] as Memory), async (tables) => {
        for (const { id, contentHash, partition } of members) {
          const form = forms.get(id);
          if (partition.kind !== 'user') tables.memories.lock(partition);
          if (form !== undefined) tables.memories.setForm(id, contentHash, form);
        }
      });
    }
    done += batch.length;
  }
}

/** By id. What has its vector already is not embedded anew: that may cost money. */
async function toForms(
  { embedder }: Engine,
  batch: readonly OutdatedMemory[],
  language: Language,
  signal: AbortSignal | undefined,
): Promise<Map<string, SearchForm>> {
  const open = embedder === null ? [] : batch.filter(({ isEmbedded }) => !isEmbedded).map(({ memory }) => memory);
  const vectors = new Map<string, Float32Array>();
  if (embedder !== null && open.length > 0) {
    const made = await embedContents(embedder, open.map(searchText), signal);
    for (const [index, { id }] of open.entries()) vectors.set(id, made[index] as Float32Array);
  }
  return new Map(
    batch.map(({ memory }) => {
      const vector = vectors.get(memory.id);
      const embedding = embedder && vector ? { model: embedder.model, vector } : null;
      return [memory.id, toSearchForm(searchText(memory), language, embedding)];
    }),
  );
}

export async function formBacklog(engine: Engine, tenantId: string): Promise<FormBacklog> {
  const language = await engine.languages.of({ tenantId, userId: null });
  const wanted = { model: engine.embedder?.model ?? null, analysis: analysisName(language) };
  return engine.store.inspect(tenantId, (tables) => tables.memories.countOutdated(wanted));
}

/** Of all tenants together. */
export async function totalBacklog(engine: Engine): Promise<FormBacklog> {
  const heads = await engine.store.auditHeads();
  const total: FormBacklog = { count: 0, oldest: null };
  for (const tenantId of new Set(heads.map((head) => head.tenantId))) {
    const { count, oldest } = await formBacklog(engine, tenantId);
    total.count += count;
    if (oldest !== null && (total.oldest === null || oldest < total.oldest)) total.oldest = oldest;
  }
  return total;
}

/** Background work on a memory runs in its owner's scope: under the same lock as the owner's own writes. */
export function writerScope(tenantId: string, { userId, partition }: Memory): Scope {
  const namespaces = partition.kind === 'namespace' ? [partition.name] : [];
  return { tenantId, userId: userId === '' ? null : userId, namespaces };
}

export function groupByWriter(memories: readonly Memory[]): Map<string, Memory[]> {
  const groups = new Map<string, Memory[]>();
  for (const memory of memories) {
    const key = `${memory.userId}\n${partitionKey(memory.partition)}`;
    groups.set(key, [...(groups.get(key) ?? []), memory]);
  }
  return groups;
}
