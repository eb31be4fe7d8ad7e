import { randomUUID } from 'node:crypto';
import { type Json, redactJson } from '@memhall/core';
import { toStorableText } from '../../memory/storable-text.js';
import { messageOf } from '../message-text.js';
import type { SessionEvent } from '../session-store.js';
import { splitLosslessly } from './split-losslessly.js';

/** A piece of what a user or an assistant said. It is stored as an interaction, so that it can be searched. */
export interface SpokenPiece {
  /** Connects it with its event. */
  key: string;
  /** Position among the pieces of the event. */
  number: number;
  text: string;
  role: 'user' | 'assistant';
}

/** An event as it is written to the log: without what was said, which is stored only once. */
export interface StoredEvent {
  event: SessionEvent;
  /** Connects the event with its pieces. Absent if nobody said anything. */
  key?: string;
  /** For each text of the message, its pieces. Null stands for a piece that is stored as an interaction. */
  texts?: (string | null)[][];
}

/** What is shown instead of a piece that was deleted on its own. */
const erasedText = '[erased]';

/** Maximum length of a piece. A request with one stays below the server's limit of 1 MiB, whatever the characters. */
const maxPieceCharacters = 100_000;

type TextPart = { type: 'text'; text: string };

/** Separates what was said from the rest of the event, and redacts secrets from the rest. The server redacts the texts. */
export function takeOutTexts(event: SessionEvent): { stored: StoredEvent; pieces: SpokenPiece[] } {
  const role = messageOf(event)?.role;
  if (role !== 'user' && role !== 'assistant') return { stored: { event: withoutSecrets(event) }, pieces: [] };
  const key = randomUUID();
  const pieces: SpokenPiece[] = [];
  const texts: (string | null)[][] = [];
  const payload = mapTexts(event.payload, (text) => {
    const slots = splitLosslessly(text, maxPieceCharacters).map((piece) => {
      if (piece.trim() === '') return piece;
      pieces.push({ key, number: pieces.length, text: toStorableText(piece).text, role });
      return null;
    });
    texts.push(slots);
    return '';
  });
  return { stored: { event: withoutSecrets({ ...event, payload }), key, texts }, pieces };
}

function withoutSecrets(event: SessionEvent): SessionEvent {
  return { ...event, payload: redactJson(event.payload).value };
}

/** Returns the event with what was said in it. `pieceOf` returns undefined for a piece that was deleted. */
export function putBackTexts(
  { event, key, texts = [] }: StoredEvent,
  pieceOf: (key: string, number: number) => string | undefined,
): SessionEvent {
  if (key === undefined) return event;
  const rest = [...texts];
  let number = 0;
  const putBack = () => (rest.shift() ?? []).map((piece) => piece ?? pieceOf(key, number++) ?? erasedText).join('');
  return { ...event, payload: mapTexts(event.payload, putBack) };
}

/** Replaces each text of a message, in order. */
function mapTexts(payload: Json, change: (text: string) => string): Json {
  const message = payload as { [name: string]: Json };
  const { content } = message;
  if (typeof content === 'string') return { ...message, content: change(content) };
  if (!Array.isArray(content)) return message;
  return { ...message, content: content.map((part) => (isText(part) ? { ...part, text: change(part.text) } : part)) };
}

function isText(part: Json): part is TextPart {
  return (
    typeof part === 'object' && part !== null && 'text' in part && part.type === 'text' && typeof part.text === 'string'
  );
}
