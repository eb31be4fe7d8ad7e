import type { KnownFact } from '../../../ports/extractor.js';
import type { Candidate } from '../rules/candidate.js';
import { toKey } from '../rules/compare.js';
import { applyCorrection, readCorrection } from '../rules/correction.js';
import { readKnownFact, toFirstPerson, toKnownReading } from '../rules/known-fact.js';
import { languageOf } from '../rules/languages/language-of.js';
import { matchClause } from '../rules/match-clause.js';
import { corrects, toReading } from '../rules/reading.js';
import type { FactProposal } from './answer.js';
import { findClauses, tellingWords } from './quote.js';
import type { ReadableMessage } from './readable-conversation.js';
import type { OnRefused } from './refusal.js';

/** Something that a proposal may correct. */
interface Corrected extends KnownFact {
  /** Indices of the messages that say it; none for a known fact. */
  messages: number[];
}

/**
 * Checks the corrections that the model claims against the known facts and the conversation. A known fact is corrected
 * only once.
 */
export class Corrections {
  readonly #open: KnownFact[];
  readonly #conversation: readonly ReadableMessage[];

  constructor(known: readonly KnownFact[], conversation: readonly ReadableMessage[]) {
    this.#open = [...known];
    this.#conversation = conversation;
  }

  /** Finds a known fact as given, or a statement that the user made up to the last of these messages. */
  find(text: string | null, upTo: readonly ReadableMessage[], kind?: KnownFact['kind']): Corrected | undefined {
    if (text === null) return undefined;
    const key = toKey(text);
    const known = this.#open.find((fact) => toKey(fact.text) === key);
    if (known !== undefined) return { ...known, messages: [] };
    const words = tellingWords(text);
    const lastPlace = upTo.at(-1)?.place ?? -1;
    for (const message of this.#conversation.filter(({ place }) => place <= lastPlace).reverse()) {
      for (const sentence of message.sentences.filter(({ refusal }) => refusal === undefined)) {
        const clauses = findClauses(words, sentence);
        if (clauses === undefined) continue;
        const { lowerCaseWriter, place } = message;
        const text = clauses.map((clause) => clause.text).join(' ');
        const said = matchClause(text, {
          language: languageOf(sentence.text),
          lowerCaseWriter,
          message: place,
          sentence: sentence.start,
          request: 'none',
        });
        return { kind: said.candidate?.kind ?? kind ?? 'explicit', text: said.point, messages: sentence.messages };
      }
    }
    return undefined;
  }

  /** Returns the candidate with the fact it corrects, if the claim is true and the two are related. */
  claim(candidate: Candidate, supersedes: string | null, onRefused: OnRefused): Candidate {
    if (supersedes === null) return candidate;
    const upTo = this.#conversation.filter(({ place }) => candidate.messages.includes(place));
    const corrected = this.find(supersedes, upTo, candidate.kind);
    const holds =
      corrected !== undefined &&
      toKey(corrected.text) !== toKey(candidate.text) &&
      (candidate.supersedes === corrected.text ||
        corrects({ ...candidate, corrects: true }, toReading(candidate), toKnownReading(corrected)));
    if (!holds) {
      onRefused('supersedes', 1);
      return candidate;
    }
    const open = this.#open.findIndex(({ text }) => text === corrected.text);
    if (open !== -1) this.#open.splice(open, 1);
    return { ...candidate, supersedes: corrected.text };
  }
}

/**
 * Handles "Sorry, it's Bern" after "I live in Basel": returns the earlier words with the new value, if the proposal
 * says the same.
 */
export function composeCorrection(
  { text, confidence }: FactProposal,
  corrected: Corrected,
  cited: readonly ReadableMessage[],
): Candidate | undefined {
  const read = readKnownFact(corrected);
  if (read === undefined) return undefined;
  for (const { place, sentences, lowerCaseWriter } of cited) {
    const earlier = { ...read, messages: corrected.messages.length === 0 ? [place] : corrected.messages };
    for (const { clauses, start } of sentences.filter(({ refusal }) => refusal === undefined)) {
      for (const clause of clauses.filter(({ asks }) => !asks)) {
        const { language } = clause;
        const context = { language, lowerCaseWriter, message: place, sentence: start, request: 'none' as const };
        const { point } = matchClause(clause.text, context);
        const correction = readCorrection({ point, corrects: true }, language);
        const composed = correction && applyCorrection(correction, [earlier], place, earlier.messages.at(-1) ?? place);
        if (composed === undefined || toKey(composed.text) !== toKey(toFirstPerson(text))) continue;
        return { ...composed, rule: 'llm', base: confidence, weights: [], messages: [...new Set(composed.messages)] };
      }
    }
  }
  return undefined;
}
