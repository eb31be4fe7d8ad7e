import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { messageOf, textOf } from '../message-text.js';
import { parseEvent } from '../parse-event.js';
import type { SessionEvent } from '../session-store.js';
import { type PackedWords, packWords } from './message-words.js';

/** A visible message of a user or an assistant, and where its line is in the file. */
export interface IndexedMessage {
  /** In bytes. */
  offset: number;
  /** In bytes, without the line break. */
  length: number;
  /** RFC 3339 */
  at: string;
  runId: string;
  role: 'user' | 'assistant';
  words: PackedWords;
}

/** What a search needs to know about a session. */
export interface IndexedSession {
  /** How many bytes of the file were read. */
  size: number;
  /** SHA-256 of these bytes, in hex. */
  hash: string;
  messages: readonly IndexedMessage[];
}

const lineBreak = 0x0a;
/** After this many bytes, other work gets a turn. */
const batchBytes = 256 * 1024;

/**
 * Indexes a session file. Continues from an earlier state if the file still starts with the same bytes, as it does if
 * events were only appended.
 */
export async function indexSession(file: Buffer, earlier: IndexedSession | undefined): Promise<IndexedSession> {
  const known = earlier !== undefined && hashOf(file.subarray(0, earlier.size)) === earlier.hash ? earlier : undefined;
  if (known?.size === file.length) return known;
  const messages = [...(known?.messages ?? [])];
  let size = known?.size ?? 0;
  let pauseAt = size + batchBytes;
  for (let start = size; start < file.length; ) {
    const found = file.indexOf(lineBreak, start);
    const end = found < 0 ? file.length : found;
    const event = parseEvent(file.toString('utf8', start, end));
    const message = event && toMessage(event, start, end - start);
    if (message !== undefined) messages.push(message);
    // The last line may still be incomplete. It is read again when there is more of it.
    if (found >= 0 || event !== undefined) size = Math.min(end + 1, file.length);
    start = end + 1;
    if (start > pauseAt) {
      pauseAt = start + batchBytes;
      await yieldToOthers();
    }
  }
  return { size, hash: hashOf(file.subarray(0, size)), messages };
}

/** Returns undefined for events that a search must not find. */
function toMessage(event: SessionEvent, offset: number, length: number): IndexedMessage | undefined {
  const message = messageOf(event);
  if (message === undefined || (message.role !== 'user' && message.role !== 'assistant')) return undefined;
  const text = textOf(message);
  if (text === '') return undefined;
  return { offset, length, at: event.at, runId: event.run_id, role: message.role, words: packWords(text) };
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
