import {
  type ConfirmedFact,
  type ConversationMessage,
  type Extraction,
  type KnownFact,
  maxFactLength,
  maxFacts,
  type ProposedFact,
} from '../../../ports/extractor.js';
import type { Candidate } from './candidate.js';
import { toKnownReading } from './known-fact.js';
import { corrects, type Reading, repeats, toReading } from './reading.js';
import { resolveDate, toMessageDay } from './resolve-dates.js';
import { explain, leastConfidence, scoreOf } from './score.js';

const repetition = { reason: 'said again', change: 0.05 };
const mostRepetitions = 2;

interface Settled {
  candidate: Candidate;
  reading: Reading;
}

/**
 * Determines the final facts: repetitions are merged, corrected facts are dropped, and known facts are only confirmed.
 */
export function settleFacts(
  candidates: readonly Candidate[],
  known: readonly KnownFact[],
  messages: readonly ConversationMessage[],
): Pick<Extraction, 'facts' | 'confirmed'> {
  const open = known.map(toKnownReading);
  const settled: Settled[] = [];
  const confirmed: Settled[] = [];
  for (const candidate of candidates) {
    if (settled.length >= maxFacts) break;
    // A candidate that will not be proposed must not displace one that will.
    if (scoreOf(candidate) >= leastConfidence && candidate.text.length <= maxFactLength)
      settle(candidate, settled, { open, confirmed });
  }
  const corrected = new Set(settled.map(({ candidate }) => candidate.supersedes));
  const stillKnown = confirmed.filter(({ reading }) => !corrected.has(reading.text));
  return {
    facts: settled.flatMap(({ candidate }) => toFact(candidate, messages) ?? []),
    confirmed: stillKnown.flatMap(({ candidate, reading }) => toConfirmed(reading.text, candidate, messages) ?? []),
  };
}

/**
 * `open` contains known facts that were not corrected; `confirmed` contains their readings, each with the candidate
 * that states it again.
 */
function settle(
  candidate: Candidate,
  settled: Settled[],
  { open, confirmed }: { open: Reading[]; confirmed: Settled[] },
): void {
  const reading = toReading(candidate);
  const same = settled.find((other) => repeats(reading, other.reading));
  if (same !== undefined) {
    sayAgain(same, candidate);
    return;
  }
  const known = open.find((fact) => repeats(reading, fact));
  if (known !== undefined) {
    const before = confirmed.find((other) => other.reading === known);
    if (before === undefined) confirmed.push({ candidate, reading: known });
    else sayAgain(before, candidate);
    return;
  }
  const earlier = settled.findLast((other) =>
    candidate.supersedes === undefined
      ? corrects(candidate, reading, other.reading)
      : other.candidate.text === candidate.supersedes,
  );
  if (earlier !== undefined) {
    settled.splice(settled.indexOf(earlier), 1);
    candidate.supersedes = earlier.candidate.supersedes ?? earlier.candidate.text;
  }
  if (candidate.supersedes === undefined) {
    const outdated = open.findLast((fact) => corrects(candidate, reading, fact));
    if (outdated !== undefined) {
      open.splice(open.indexOf(outdated), 1);
      candidate.supersedes = outdated.text;
    }
  }
  settled.push({ candidate, reading });
}

function sayAgain({ candidate }: Settled, again: Candidate): void {
  candidate.messages = [...new Set([...candidate.messages, ...again.messages])];
  const times = candidate.weights.filter(({ reason }) => reason === repetition.reason).length;
  if (times < mostRepetitions) candidate.weights.push(repetition);
}

function toFact(candidate: Candidate, messages: readonly ConversationMessage[]): ProposedFact | undefined {
  const { kind, text, supersedes, states } = candidate;
  const evidence = [...new Set(candidate.messages)].flatMap((place) => messages[place]?.id ?? []);
  const times = timesOf(candidate, messages[candidate.messages.at(-1) ?? 0]?.timestamp);
  if (times === undefined) return undefined;
  return {
    kind,
    text,
    confidence: scoreOf(candidate),
    explanation: explain(candidate),
    evidence,
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(states === undefined ? {} : { states }),
    ...times,
  };
}

function toConfirmed(
  text: string,
  candidate: Candidate,
  messages: readonly ConversationMessage[],
): ConfirmedFact | undefined {
  const fact = toFact(candidate, messages);
  if (fact === undefined) return undefined;
  const { kind, confidence, evidence, expiresAt } = fact;
  return { kind, text, confidence, evidence, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** Returns undefined for a passing state whose end cannot be determined. */
export function timesOf(
  candidate: Candidate,
  timestamp: string | undefined,
): Pick<ProposedFact, 'expiresAt' | 'occurredOn'> | undefined {
  const passing = candidate.kind === 'circumstance';
  const messageDay = toMessageDay(timestamp);
  const past = candidate.past || candidate.language.past.test(candidate.text);
  const found = messageDay && resolveDate(candidate.text, messageDay, past, candidate.language.calendar);
  if (found === undefined) return passing ? undefined : {};
  if (passing) return { expiresAt: new Date(found.endMs).toISOString() };
  return candidate.yearly ? {} : { occurredOn: { from: found.from, to: found.to } };
}
