import type { Item } from '@langchain/langgraph-checkpoint';
import type { WorkingEntry } from '@memhall/client';
import { canonicalJson, type Json } from '@memhall/core';

/** An item as stored in working memory. */
interface StoredItem {
  namespace: string[];
  key: string;
  value: Record<string, unknown>;
  /** The semantic memory that makes the item searchable, or null if it is not indexed. */
  memory_id: string | null;
}

const maxIndexedCharacters = 100_000;

export function readItem({ value, created_at, updated_at }: WorkingEntry): { item: Item; memoryId: string | null } {
  const { namespace, key, value: content, memory_id } = value as unknown as StoredItem;
  const item = { namespace, key, value: content, createdAt: new Date(created_at), updatedAt: new Date(updated_at) };
  return { item, memoryId: memory_id };
}

/** Returns a name of fixed length, because LangGraph allows any text of any length for namespaces and keys. */
export async function toName(parts: Json): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(parts)));
  return Buffer.from(digest).toString('hex');
}

/** Returns the searchable text of a value: the texts at the given paths, or all texts if no paths are given. */
export function toIndexedText(value: Record<string, unknown>, index: false | string[] | undefined): string {
  if (index === false) return '';
  const texts =
    index === undefined ? textsIn(value) : index.flatMap((path) => textsAt(value, path.match(/[^.[\]]+/g) ?? []));
  return texts.join('\n').slice(0, maxIndexedCharacters).toWellFormed().trim();
}

/** Returns the texts at a path such as `chapters[*].title`, `authors[-1].name` or `$`, which means everything. */
function textsAt(value: unknown, [step, ...rest]: readonly string[]): string[] {
  if (step === undefined || step === '$') return textsIn(value);
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return Object.values(value).flatMap((member) => textsAt(member, rest));
  return textsAt(Array.isArray(value) ? value.at(Number(step)) : (value as Record<string, unknown>)[step], rest);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
