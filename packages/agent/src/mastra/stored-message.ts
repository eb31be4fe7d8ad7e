import type { AnyMemory, NewMemory } from '@memhall/client/one-memory';
import type { Json } from '@memhall/core';
import { toStorableText } from '../memory/storable-text.js';
import { fitsMetadata } from '../state/fits-metadata.js';
import type { MastraMessage } from './mastra-types.js';

/** The metadata of a memory that is a message. */
interface StoredMessage {
  /** The message, without its time. */
  message?: Omit<MastraMessage, 'createdAt'>;
  /** Where in working memory it is, if it does not fit into metadata. */
  message_key?: string;
}

const roles: readonly string[] = ['user', 'assistant', 'tool', 'system'];
const maxTextCharacters = 100_000;

/** Returns the memory of a message, and the message if it has to be in working memory. */
export function toMemory(
  { createdAt, ...message }: MastraMessage,
  place: { externalId: string; sessionId: string; tag: string; key: string },
): { memory: NewMemory; large?: Json } {
  const text = toStorableText(textOf(message)).text.slice(0, maxTextCharacters).toWellFormed();
  const stored: StoredMessage = fitsMetadata(message) ? { message } : { message_key: place.key };
  const memory: NewMemory = {
    content: text,
    kind: 'episodic',
    role: (roles.includes(message.role) ? message.role : 'system') as NonNullable<NewMemory['role']>,
    external_id: place.externalId,
    session_id: place.sessionId,
    occurred_at: new Date(createdAt).toISOString(),
    tags: [place.tag],
    metadata: { ...stored },
  };
  return stored.message === undefined ? { memory, large: toJson(message) } : { memory };
}

export async function fromMemory(
  { occurred_at, metadata }: AnyMemory,
  readLarge: (key: string) => Promise<Json | undefined>,
): Promise<MastraMessage | undefined> {
  const { message, message_key: key } = metadata as StoredMessage;
  const whole =
    message ?? (key === undefined ? undefined : ((await readLarge(key)) as unknown as StoredMessage['message']));
  return whole && { ...whole, createdAt: new Date(occurred_at) };
}

export function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Returns what recall finds: what is said, or else which tools are called. */
function textOf({ content }: Pick<MastraMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  const { parts = [], content: text } = (content ?? {}) as { parts?: Record<string, unknown>[]; content?: unknown };
  const said = parts.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []));
  if (said.join('').trim() !== '') return said.join('\n');
  if (typeof text === 'string' && text.trim() !== '') return text;
  const called = parts.map((part) => (part.toolInvocation as { toolName?: string } | undefined)?.toolName);
  return called.filter((name) => name !== undefined).join(', ') || 'message';
}
