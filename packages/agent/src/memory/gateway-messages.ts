import { splitText } from '@memhall/core';
import type { GatewayMessage } from '../gateway/memory-gateway-client.js';
import type { MessageChange, SpokenText } from './memory-backend.js';
import { toStorableText } from './storable-text.js';

const encoder = new TextEncoder();
/** Limit of a gateway for the content of one message. */
const maxMessageCharacters = 200_000;
/** Short enough that several parts fit into what a later run is shown. */
const partCharacters = 10_000;
/** A gateway accepts requests of 1 MiB. The rest is for everything but the texts. */
const maxTextBytes = 1_000_000;

interface Turn {
  user: SpokenText & { senderId: string };
  assistant: SpokenText & { senderId: string };
}

interface Spoken {
  role: GatewayMessage['role'];
  said: Turn['user'];
  invalid: number;
  parts: readonly string[];
  leftOut: number;
}

/**
 * Returns the messages that store a turn: the prompt, then the answer, in as many parts as the limits of a gateway
 * require. The times are in order, even if the clock was set back.
 */
export function toGatewayMessages({ user, assistant }: Turn): { messages: GatewayMessage[]; changes: MessageChange[] } {
  const spoken = withinRequest([toSpoken('user', user), toSpoken('assistant', assistant)]);
  let last = 0;
  const messages = spoken.flatMap(({ role, said, parts }) => {
    const start = Math.max(said.at, last + 1);
    last = start + parts.length - 1;
    return parts.map((content, n) => ({ sender_id: said.senderId, role, timestamp: start + n, content }));
  });
  return { messages, changes: spoken.flatMap(toChange) };
}

function toSpoken(role: GatewayMessage['role'], said: Turn['user']): Spoken {
  const { text, invalid } = toStorableText(said.content);
  return { role, said, invalid, parts: text.length > maxMessageCharacters ? split(text) : [text], leftOut: 0 };
}

function split(text: string): string[] {
  return splitText(text, partCharacters);
}

function toChange({ role, invalid, parts, leftOut }: Spoken): MessageChange[] {
  const change = {
    ...(invalid === 0 ? {} : { invalid_characters: invalid }),
    ...(parts.length === 1 ? {} : { parts: parts.length }),
    ...(leftOut === 0 ? {} : { left_out_characters: leftOut }),
  };
  return Object.keys(change).length === 0 ? [] : [{ role, ...change }];
}

/** Leaves out parts if the texts are too long for one request. The shorter text may take half of the room. */
function withinRequest(spoken: readonly Spoken[]): Spoken[] {
  const sizes = spoken.map(({ parts }) => sizeOf(parts));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxTextBytes) return [...spoken];
  return spoken.map((one, n) => {
    const room = Math.max(maxTextBytes / 2, maxTextBytes - (total - (sizes[n] ?? 0)));
    return (sizes[n] ?? 0) <= room ? one : { ...one, ...keepEnds(one.parts.flatMap(split), room) };
  });
}

/** Keeps parts from both ends as long as there is room, at least one. */
function keepEnds(parts: readonly string[], room: number): Pick<Spoken, 'parts' | 'leftOut'> {
  let [head, tail, left] = [0, parts.length, room];
  while (head < tail) {
    const isHead = head <= parts.length - tail;
    left -= sizeOf([parts[isHead ? head : tail - 1] ?? '']);
    if (left < 0 && head > 0) break;
    if (isHead) head += 1;
    else tail -= 1;
  }
  const leftOut = parts.slice(head, tail).reduce((sum, part) => sum + part.length, 0);
  return { parts: [...parts.slice(0, head), ...parts.slice(tail)], leftOut };
}

function sizeOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + encoder.encode(JSON.stringify(part)).length, 0);
}
