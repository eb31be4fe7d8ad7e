import { redact } from '@memhall/core';

/** What is compared of a recalled memory. */
interface Repeatable {
  text: string;
  session_id?: string;
}

interface Conversation<R extends Repeatable> {
  /** Session of the conversation where it is stored. */
  storedSession: string;
  /** The texts of its messages as the model sees them. */
  shown: readonly string[];
  /** A session store in the same server has stored it already. */
  prompt: string;
  /** Whether a memory says more than its words, such as where it is written, or that somebody else says so too. */
  isAlwaysShown: (memory: R) => boolean;
}

const endOfSentence = /(?<=[.!?…。！？])\s+|\n+/u;

/**
 * Leaves out references that only repeat the prompt or what the model sees of the conversation: a message, a sentence of
 * one, or its visible beginning or end if it was split when it was stored. If the sessions of the agent are in the same server, leaves out their copies of messages that were found in
 * chats too.
 */
export function withoutRepeats<R extends Repeatable>(
  references: readonly R[],
  { storedSession, shown, prompt, isAlwaysShown }: Conversation<R>,
): R[] {
  const stored = shown.map(asStored);
  const texts = stored.map(comparable);
  const sentences = stored.flatMap((text) => text.split(endOfSentence).map(comparable));
  const said = new Set([...texts, ...sentences, comparable(asStored(prompt))]);
  const places = new Set(references.map(({ session_id, text }) => placeOf(session_id, text)));
  return references.filter((reference) => {
    if (isAlwaysShown(reference)) return true;
    const { text, session_id } = reference;
    const recalled = comparable(asStored(text));
    if (said.has(recalled) || places.has(placeOf(`chat:${session_id}`, text))) return false;
    if (session_id !== storedSession) return true;
    return !texts.some((whole) => whole.startsWith(recalled) || whole.endsWith(recalled));
  });
}

function placeOf(sessionId: string | undefined, text: string): string {
  return `${sessionId}\n${text}`;
}

/** A gateway stores texts in NFC and without secrets. */
function asStored(text: string): string {
  return redact(text.normalize('NFC')).text;
}

/** Facts are stored without the mark at the end of their sentence. */
function comparable(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.!?…。！？]$/u, '');
}
