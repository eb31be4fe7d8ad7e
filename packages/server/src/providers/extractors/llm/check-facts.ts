import type { ConversationMessage, KnownFact, ProposedFact } from '../../../ports/extractor.js';
import { maxFactLength, maxFacts } from '../../../ports/extractor.js';
import type { Candidate } from '../rules/candidate.js';
import { confirmationWeight } from '../rules/confirmation.js';
import { asksToRemember, matchClause, newCandidate } from '../rules/match-clause.js';
import { claimsPrivilege, isSecret } from '../rules/refusals.js';
import { weighWords } from '../rules/score.js';
import { settleFacts, timesOf } from '../rules/settle-facts.js';
import type { FactProposal } from './answer.js';
import { checkValue } from './check-value.js';
import { Corrections, composeCorrection } from './corrections.js';
import { findClauses, tellingWords } from './quote.js';
import type { ReadableMessage, Sentence } from './readable-conversation.js';
import type { OnRefused, Refusal } from './refusal.js';

/** No statement is repeated more often. Bounds the search. */
const mostCited = 20;

interface CheckedAgainst {
  messages: readonly ConversationMessage[];
  known: readonly KnownFact[];
  /** What values can be of. */
  attributes: readonly string[];
}

/**
 * Returns the valid facts among the proposals. The model only points: the stored text is the user's own clause that a
 * proposal points to, and every check is made on that clause.
 */
export function checkFacts(
  proposals: readonly FactProposal[],
  conversation: readonly ReadableMessage[],
  { messages, known, attributes }: CheckedAgainst,
  onRefused: OnRefused,
): ProposedFact[] {
  if (proposals.length > maxFacts) onRefused('limit', proposals.length - maxFacts);
  const corrections = new Corrections(known, conversation);
  const candidates: Candidate[] = [];
  for (const proposal of proposals.slice(0, maxFacts)) {
    const checked = check(proposal, conversation, corrections);
    if (typeof checked === 'string') onRefused(checked, 1);
    else if (timesOf(checked, messages[checked.messages.at(-1) ?? 0]?.timestamp) === undefined) onRefused('time', 1);
    else {
      const claimed = corrections.claim(checked, proposal.supersedes, onRefused);
      const states = checkValue(proposal, claimed.text, attributes);
      if (states === 'attribute') onRefused(states, 1);
      candidates.push(typeof states === 'object' ? { ...claimed, states } : claimed);
    }
  }
  return settleFacts(candidates.sort(bySaying), known, messages).facts;
}

function bySaying(a: Candidate, b: Candidate): number {
  return (a.messages.at(-1) ?? 0) - (b.messages.at(-1) ?? 0) || a.sentence - b.sentence;
}

function check(
  proposal: FactProposal,
  conversation: readonly ReadableMessage[],
  corrections: Corrections,
): Candidate | Refusal {
  if (!isWithinLimits(proposal)) return 'limit';
  const cited = findCited(proposal.messages, conversation);
  if (cited === undefined) return 'evidence';
  if (cited.some(({ steers }) => steers)) return 'steering';
  const found = cited.flatMap((message) => findSaying(proposal, message));
  const usable = found.find((saying) => typeof saying !== 'string') ?? found[0];
  if (usable !== undefined) return usable;
  const corrected = corrections.find(proposal.supersedes, cited);
  return (corrected && composeCorrection(proposal, corrected, cited)) ?? 'words';
}

function isWithinLimits({ text, confidence }: FactProposal): boolean {
  return text.trim() !== '' && text.length <= maxFactLength && confidence >= 0 && confidence <= 1;
}

/**
 * Returns the user's messages among the cited ones; undefined if there is none, if one does not exist, or if there are
 * too many.
 */
function findCited(
  numbers: readonly number[],
  conversation: readonly ReadableMessage[],
): ReadableMessage[] | undefined {
  if (numbers.length > mostCited) return undefined;
  const cited = conversation.filter(({ place }) => numbers.includes(place + 1));
  const users = cited.filter(({ role }) => role === 'user');
  return users.length === 0 || cited.length < new Set(numbers).size ? undefined : users;
}

/** Returns a candidate, or the reason for refusing it, for every sentence of a message that says it. */
function findSaying(proposal: FactProposal, message: ReadableMessage): (Candidate | Refusal)[] {
  const words = tellingWords(proposal.text);
  return message.sentences.flatMap((sentence) => {
    const clauses = findClauses(words, sentence);
    return clauses === undefined ? [] : [sentence.refusal ?? toCandidate(proposal, message, sentence, clauses)];
  });
}

function toCandidate(
  { kind: proposedKind, confidence }: FactProposal,
  { lowerCaseWriter, place }: ReadableMessage,
  sentence: Sentence,
  clauses: Sentence['clauses'],
): Candidate | Refusal {
  const [first] = clauses;
  const last = clauses.at(-1);
  if (first === undefined || last === undefined) return 'words';
  const offset = Math.max(sentence.start, 0);
  const span = sentence.text.slice(first.start - offset, last.start - offset + last.text.length);
  const request = leadingRequest(sentence, first);
  const { language } = first;
  const context = { language, lowerCaseWriter, message: place, sentence: sentence.start, request };
  const said = sentence.confirmed ? language.confirmation.toUsersVoice(span) : span;
  const reading = matchClause(said, context);
  if (clauses.some(({ asks }) => asks) && !asksToRemember(reading, sentence.text, language)) return 'unmeant';
  const rule = reading.candidate?.kind === 'explicit' ? undefined : reading.candidate;
  const kind = rule?.kind ?? proposedKind;
  const text = sentence.confirmed ? span : reading.point;
  if (text === '' || text.length > maxFactLength) return 'limit';
  if (isSecret(text)) return 'secret';
  if (claimsPrivilege({ kind, text }, reading.request !== 'none')) return 'privilege';
  if (kind === 'explicit' && reading.request === 'none') return 'kind';
  return {
    ...(rule ?? newCandidate(kind, '', 0, text, context)),
    text,
    rule: 'llm',
    base: confidence,
    weights: [
      ...(sentence.confirmed ? [confirmationWeight] : []),
      // The model may be less certain than the words allow, but not more.
      ...weighWords(text).filter(({ change }) => change < 0),
    ],
    messages: sentence.messages,
    corrects: reading.corrects,
  };
}

/** A request in an earlier clause of the sentence also covers this one: "remember that I'm vegan and I hate olives". */
function leadingRequest({ clauses }: Sentence, first: Sentence['clauses'][number]): 'none' | 'mention' | 'remember' {
  const [opening] = clauses;
  if (opening === undefined || opening === first) return 'none';
  return matchClause(opening.text, {
    language: opening.language,
    lowerCaseWriter: false,
    message: 0,
    sentence: 0,
    request: 'none',
  }).request;
}
