import { isId } from '@memhall/core';

/** Where a search result comes from, for a model to read. */
export interface MemoryOrigin {
  /** Who said it or which file it is from, and when, in words. */
  from?: string;
  /** What stands above it in its file: headings, or the names of the columns of a table. */
  heading?: string;
}

const sayings: Readonly<Record<string, string>> = {
  user: 'said by the user',
  assistant: 'said by the assistant',
  tool: 'returned by a tool',
};
const places: Readonly<Record<string, string>> = {
  tier: 'written in the notes of the workspace',
  document: 'written in a document of the user',
};
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Describes a search result with a few members of its `raw`. Everything else there is ignored, and so are members of the
 * wrong type. The user is not named.
 */
export function describeOrigin(raw: Readonly<Record<string, unknown>>, userId: string): MemoryOrigin {
  const when = describeMoment(raw.timestamp);
  if (raw.kind === 'resource') {
    const title = toText(raw.title);
    const heading = toText(raw.heading);
    const file = title === undefined ? 'file' : `file "${title}"`;
    return { from: `${file}${when === '' ? '' : `, added${when}`}`, ...(heading === undefined ? {} : { heading }) };
  }
  if (raw.kind === 'event') return { from: `summary of a conversation${when}` };
  const saying = raw.kind === undefined || raw.kind === 'episodic' ? sayings[String(raw.role)] : undefined;
  if (saying !== undefined) return { from: `${saying}${describeSender(raw.sender_id, userId)}${when}` };
  if (typeof raw.kind !== 'string') return {};
  const place = places[raw.kind] ?? 'noted';
  return { from: `${place}${describeAuthor(raw.author, userId)}${when}` };
}

function describeAuthor(author: unknown, userId: string): string {
  if (typeof author !== 'string' || !isId(author)) return '';
  return author === userId ? ' by the user' : ` by ${author}`;
}

function describeMoment(timestamp: unknown): string {
  if (typeof timestamp !== 'number' || !(timestamp > 0 && timestamp <= lastMoment)) return '';
  const at = new Date(timestamp).toISOString();
  return ` on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}

function describeSender(senderId: unknown, userId: string): string {
  return typeof senderId === 'string' && isId(senderId) && senderId !== userId ? ` (${senderId})` : '';
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
