import type { Interaction } from '@memhall/client';
import type { Json } from '@memhall/core';
import { toStorableText } from '../memory/storable-text.js';
import { fitsMetadata } from '../state/fits-metadata.js';
import type { PlanValues } from '../state/plan-values.js';

/** An item of the SDK: a message, a call of a tool, what it returned, or anything else of the Responses API. */
export interface SessionItem {
  type?: string;
  role?: string;
  content?: unknown;
  output?: unknown;
  summary?: unknown;
  name?: unknown;
  arguments?: unknown;
  [name: string]: unknown;
}

/** The metadata of an interaction. */
export interface StoredItem {
  /** The item, without the member `text` names. */
  item?: SessionItem;
  /** The member that is the text of the interaction. */
  text?: 'content' | 'output';
  /** Where in working memory the item is, if it does not fit into metadata. */
  item_key?: string;
}

type Entry = Pick<Interaction, 'role' | 'content' | 'metadata'> & { large?: SessionItem; key: string };

const roles: Readonly<Record<string, Interaction['role']>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
};
/** Of a text that is stored elsewhere, too. */
const maxTextCharacters = 100_000;

export function toEntry(item: SessionItem): Entry {
  const text = textOf(item);
  const role = roles[item.role ?? ''] ?? 'tool';
  const key = crypto.randomUUID();
  const name = (['content', 'output'] as const).find((one) => item[one] === text);
  if (name !== undefined && text.length <= maxTextCharacters) {
    const { [name]: _, ...rest } = item;
    const stored: StoredItem = { item: rest, text: name };
    if (fitsMetadata(stored)) return { role, content: text, metadata: { ...stored }, key };
  }
  const content = text.slice(0, maxTextCharacters).toWellFormed();
  if (fitsMetadata({ item })) return { role, content, metadata: { item }, key };
  return { role, content, metadata: { item_key: key }, large: item, key };
}

/** Returns a short item in place of one whose large part was erased, so that the others stay in order. */
export async function fromEntry(text: string, stored: StoredItem, large: PlanValues): Promise<SessionItem> {
  if (stored.item_key !== undefined) {
    const item = (await large.get(stored.item_key)) as Json as SessionItem | undefined;
    return item ?? { role: 'system', content: text };
  }
  const { item = {}, text: name } = stored;
  return name === undefined ? item : { ...item, [name]: text };
}

/** Returns what recall finds: what is said, the call of a tool or what it returned, or else the type of the item. */
function textOf(item: SessionItem): string {
  const said = [item.content, item.output, item.summary].map(textsIn).find((texts) => texts.length > 0) ?? [];
  const call = [item.name, item.arguments].filter((part) => typeof part === 'string' && part !== '').join(' ');
  const text = said.join('\n') || call || (item.type ?? 'item');
  return toStorableText(text).text;
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [content];
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) => {
    const { text, refusal } = (part ?? {}) as { text?: unknown; refusal?: unknown };
    const said = text ?? refusal;
    return typeof said === 'string' && said.trim() !== '' ? [said] : [];
  });
}
