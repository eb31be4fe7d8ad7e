import type { Embedder } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import { type Memory, type OutdatedMemory, partitionKey, type SearchForm } from '../../ports/memories.js';
import type { Scope } from '../../ports/store.js';
import { maintain } from '../audit/maintain.js';
import type { Engine } from '../engine.js';
import { listTenants } from '../list-tenants.js';
import { readLong } from '../read-long.js';
import { analysisName, hasMeanVectors, type Language } from './analysis/language.js';
import { searchText, type TextForm } from './analysis/to-search-form.js';
import { embedContents } from './embed-contents.js';
import { formTextsTask, sizeOfTexts } from './read-texts.js';

const batchSize = 64;
/** In characters. Texts that were longer had the mean of the vectors of such pieces. */
const oldPiece = 1000;

interface FormBacklog {
  count: number;
  /** Since when the oldest of them has been waiting. */
  oldest: Date | null;
}

/**
 * Updates a tenant's memories to the form that recall compares: vectors of the current embedder, words by the rules of
 * the tenant's language. Until then, recall uses the existing form of each memory. Returns how many were updated. A
 * memory that changes concurrently is left for the next round, and one whose text the embedder rejects does not hold up
 * others.
 */
export async function refreshForms(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<number> {
  const language = await engine.tenants.language({ tenantId, userId: null });
  let done = 0;
  for (;;) {
    const refreshed = await refreshOnce(engine, tenantId, language, signal);
    if (refreshed === 0) return done;
    done += refreshed;
  }
}

async function refreshOnce(
  engine: Engine,
  tenantId: string,
  language: Language,
  signal: AbortSignal | undefined,
): Promise<number> {
  const wanted = { model: engine.embedder?.model ?? null, analysis: analysisName(language) };
  let refreshed = 0;
  for (let after = 0n; ; ) {
    signal?.throwIfAborted();
    const page = { after, limit: batchSize };
    const batch = await engine.store.inspect(tenantId, (tables) => tables.memories.outdated(wanted, page));
    const last = batch.at(-1);
    if (last === undefined) return refreshed;
    const forms = await toForms(engine, batch, language, signal);
    await storeForms(engine, tenantId, forms);
    refreshed += forms.size;
    after = last.seq;
  }
}

async function storeForms(engine: Engine, tenantId: string, forms: ReadonlyMap<Memory, SearchForm>): Promise<void> {
  for (const members of groupByWriter([...forms.keys()]).values()) {
    await maintain(engine, writerScope(tenantId, members[0] as Memory), async (tables) => {
      for (const memory of members) {
        if (memory.partition.kind !== 'user') tables.memories.lock(memory.partition);
        tables.memories.setForm(memory.id, memory.contentHash, forms.get(memory) as SearchForm, engine.clock.now());
      }
    });
  }
}

/**
 * Memories that have a current vector are not embedded again, which may cost money, except once for a better one. Memories that get no vector and
 * need nothing else are left out.
 */
async function toForms(
  engine: Engine,
  batch: readonly OutdatedMemory[],
  language: Language,
  signal: AbortSignal | undefined,
): Promise<Map<Memory, SearchForm>> {
  const { embedder } = engine;
  const open = batch
    .filter((one) => !one.isEmbedded || (hasMeanVectors(one.analysis) && searchText(one.memory).length > oldPiece))
    .map(({ memory }) => memory);
  const vectors = embedder === null ? new Map() : await embedValid(engine, embedder, open, signal);
  const memories = batch
    .filter(({ memory, isAnalysed }) => vectors.has(memory) || !isAnalysed)
    .map(({ memory }) => memory);
  const texts = memories.map(({ content, cue, role }) => ({ content, cue, role }));
  const forms = await readLong(engine, formTextsTask, { memories: texts, language }, sizeOfTexts(texts));
  return new Map(
    memories.map((memory, index) => {
      const vector = vectors.get(memory);
      const embedding = embedder && vector ? { model: embedder.model, vector } : null;
      return [memory, { ...(forms[index] as TextForm), embedding }];
    }),
  );
}

/** Services reject a whole batch because of one text. Halving the batch isolates that text. */
async function embedValid(
  engine: Engine,
  embedder: Embedder,
  memories: readonly Memory[],
  signal: AbortSignal | undefined,
): Promise<Map<Memory, Float32Array>> {
  if (memories.length === 0) return new Map();
  try {
    const vectors = await embedContents(embedder, memories.map(searchText), signal);
    return new Map(memories.map((memory, index) => [memory, vectors[index] as Float32Array]));
  } catch (error) {
    if (!(error instanceof EmbedderError && error.isAboutText)) throw error;
    if (memories.length === 1) {
      engine.onFault(error, `embedding memory ${memories[0]?.id}`);
      return new Map();
    }
    const middle = Math.ceil(memories.length / 2);
    const first = await embedValid(engine, embedder, memories.slice(0, middle), signal);
    return new Map([...first, ...(await embedValid(engine, embedder, memories.slice(middle), signal))]);
  }
}

export async function formBacklog(engine: Engine, tenantId: string): Promise<FormBacklog> {
  const language = await engine.tenants.language({ tenantId, userId: null });
  const wanted = { model: engine.embedder?.model ?? null, analysis: analysisName(language) };
  return engine.store.inspect(tenantId, (tables) => tables.memories.countOutdated(wanted));
}

/** Returns the sum over all tenants. */
export async function totalBacklog(engine: Engine): Promise<FormBacklog> {
  const total: FormBacklog = { count: 0, oldest: null };
  for (const tenantId of await listTenants(engine)) {
    const { count, oldest } = await formBacklog(engine, tenantId);
    total.count += count;
    if (oldest !== null && (total.oldest === null || oldest < total.oldest)) total.oldest = oldest;
  }
  return total;
}

/** Returns the scope of the memory's owner, so that background work takes the same lock as the owner's own writes. */
export function writerScope(tenantId: string, { userId, partition }: Memory): Scope {
  const namespaces = partition.kind === 'namespace' ? [partition.name] : [];
  return { tenantId, userId: userId === '' ? null : userId, namespaces, writableNamespaces: namespaces };
}

export function groupByWriter(memories: readonly Memory[]): Map<string, Memory[]> {
  const groups = new Map<string, Memory[]>();
  for (const memory of memories) {
    const key = `${memory.userId}\n${partitionKey(memory.partition)}`;
    groups.set(key, [...(groups.get(key) ?? []), memory]);
  }
  return groups;
}
