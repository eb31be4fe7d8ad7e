import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationMessage } from '../../../ports/extractor.js';
import { confirmedWords, type Supposition } from '../rules/confirmation.js';
import { languageOf } from '../rules/languages/language-of.js';
import { isInjection, isSecret, isUnmeant, readPlayTurn, withdraws } from '../rules/refusals.js';
import { type Clause, sentencesOf } from '../rules/split-clauses.js';
import { readUserTurn, straighten, type UserTurn } from '../rules/user-turn.js';
import { plainWords } from './plain-words.js';
import type { Refusal } from './refusal.js';

/** A sentence that the user said or agreed to. */
export interface Sentence {
  text: string;
  clauses: Clause[];
  /** Plain words of each clause; if a sentence is too long for clauses, all in one list. */
  words: string[][];
  /** Indices of the messages that say it. */
  messages: number[];
  /** Position in its message; -1 for the assistant's words. */
  start: number;
  /** Why no fact may be derived from it. */
  refusal: Refusal | undefined;
  /** Neither shown to the model nor included in a digest. */
  hidden: boolean;
  confirmed: boolean;
}

export interface ReadableMessage {
  /** Index in the conversation. */
  place: number;
  role: 'user' | 'assistant';
  timestamp: string | undefined;
  lowerCaseWriter: boolean;
  /** It tries to manipulate its reader: nothing in it counts. */
  steers: boolean;
  /** Only for user messages; the assistant's words cannot be quoted unless the user confirms them. */
  sentences: Sentence[];
  /** The part that the model sees; empty if it must not see the message. */
  shown: string;
}

/** Long enough to show what an answer is about and how it ends. */
const longestAnswerStart = 600;
const longestAnswerEnd = 400;
/** Shorter sentences state nothing that could be withdrawn. */
const fewestWords = 3;
/** Messages read before yielding to other work. */
const readAtOnce = 10;

/**
 * Returns the parts of a conversation that may be shown to a model and quoted: the user's own words, without secrets,
 * withdrawn statements and manipulative messages. Excludes system and tool messages.
 */
export async function readConversation(
  messages: readonly ConversationMessage[],
  signal: AbortSignal,
): Promise<ReadableMessage[]> {
  const read: ReadableMessage[] = [];
  let playing = false;
  let before: Supposition | undefined;
  for (const [place, message] of messages.entries()) {
    if (place > 0 && place % readAtOnce === 0) await nextTurn();
    signal.throwIfAborted();
    if (message.role === 'assistant') {
      before = { content: message.content, message: place };
      read.push(readAssistant(message, place));
    }
    if (message.role !== 'user') continue;
    const turn = readUserTurn(message, place);
    const play = readPlayTurn(turn.own);
    if (play !== 'goes on') playing = play === 'begins';
    const turnBefore = read.findLast(({ role }) => role === 'user')?.sentences ?? [];
    const sentences = readSentences(turn, turnBefore, before, playing);
    withdraw(sentences, turnBefore);
    const { lowerCaseWriter, injects: steers } = turn;
    read.push({ place, role: 'user', timestamp: message.timestamp, lowerCaseWriter, steers, sentences, shown: '' });
    before = undefined;
  }
  for (const message of read) if (message.role === 'user') message.shown = shownOf(message.sentences);
  return read;
}

function readAssistant({ content, timestamp }: ConversationMessage, place: number): ReadableMessage {
  const edges =
    content.length > longestAnswerStart + longestAnswerEnd
      ? `${content.slice(0, longestAnswerStart)} … ${content.slice(-longestAnswerEnd)}`
      : content;
  const text = straighten(edges.toWellFormed());
  const steers = isInjection(text);
  const shown = steers ? '' : withoutSecrets(sentencesOf(text).map((sentence) => sentence.text));
  return { place, role: 'assistant', timestamp, lowerCaseWriter: false, steers, sentences: [], shown };
}

function withoutSecrets(sentences: string[]): string {
  return sentences
    .filter((text, index) => !givesAccess(text, sentences.slice(Math.max(index - 1, 0), index)))
    .join(' ');
}

function readSentences(
  turn: UserTurn,
  turnBefore: readonly Sentence[],
  before: Supposition | undefined,
  playing: boolean,
): Sentence[] {
  const asked = sentencesOf(straighten((before?.content ?? '').slice(-longestAnswerEnd).toWellFormed())).at(-1);
  let previous = [asked, turnBefore.at(-1)].flatMap((sentence) => sentence?.text ?? []);
  const clauses = bySentence(turn.clauses);
  const sentences = sentencesOf(turn.own).map(({ text, start }): Sentence => {
    const refusal = turn.injects ? 'steering' : givesAccess(text, previous) ? 'secret' : undefined;
    previous = [text];
    const own = clauses.get(start) ?? [];
    return {
      text,
      clauses: own,
      words: own.length === 0 ? [plainWords(text)] : own.map((clause) => plainWords(clause.text)),
      messages: [turn.message],
      start,
      refusal: refusal ?? (playing || isUnmeant(text) || withdraws(text) ? 'unmeant' : undefined),
      hidden: refusal !== undefined || withdraws(text),
      confirmed: false,
    };
  });
  const confirmed = before === undefined || playing || turn.injects ? undefined : readConfirmed(turn, before);
  return confirmed === undefined ? sentences : [confirmed, ...sentences];
}

function bySentence(clauses: Clause[]): Map<number, Clause[]> {
  const sentences = new Map<number, Clause[]>();
  for (const clause of clauses) {
    const others = sentences.get(clause.sentence);
    if (others === undefined) sentences.set(clause.sentence, [clause]);
    else others.push(clause);
  }
  return sentences;
}

/** Hidden because a digest contains only the user's words; the model has already seen it as the assistant's. */
function readConfirmed(turn: UserTurn, before: Supposition): Sentence | undefined {
  const text = confirmedWords(turn, before);
  if (text === undefined || isSecret(text)) return undefined;
  const clause = { text, start: 0, sentence: 0, joint: '', asks: false, language: languageOf(text) };
  const messages = [before.message, turn.message];
  const words = [plainWords(text)];
  return { text, clauses: [clause], words, messages, start: -1, refusal: undefined, hidden: true, confirmed: true };
}

/** True if the text is a secret on its own, or as the continuation of "What's the PIN?" or "Here is my password." */
function givesAccess(text: string, previous: readonly string[]): boolean {
  return isSecret(text) || previous.some((before) => isSecret(joined(before, text)));
}

function joined(before: string, text: string): string {
  const announces = /\?\s*$|^(?:here|this|that|these)\b/iu.test(before);
  return `${before.replace(/[.!?:\s]+$/u, '')}${announces ? ':' : ''} ${text}`;
}

/** Withdraws the previous sentence of the message, else the user's whole previous turn. */
function withdraw(sentences: Sentence[], turnBefore: Sentence[]): void {
  for (const [index, { text, confirmed }] of sentences.entries()) {
    if (confirmed || !withdraws(text)) continue;
    const last = sentences.slice(0, index).findLast((sentence) => sentence.text.split(/\s+/u).length >= fewestWords);
    for (const sentence of last === undefined ? turnBefore : [last]) {
      sentence.refusal ??= 'unmeant';
      sentence.hidden = true;
    }
  }
}

function shownOf(sentences: Sentence[]): string {
  return sentences
    .filter(({ hidden }) => !hidden)
    .map(({ text }) => text)
    .join(' ');
}
