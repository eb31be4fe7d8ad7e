import {
  type ConversationMessage,
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

/** Which candidates stand at the end: repetitions become one, corrected ones give way, what is known is left out. */
export function settleFacts(
  candidates: readonly Candidate[],
  known: readonly KnownFact[],
  messages: readonly ConversationMessage[],
): ProposedFact[] {
  const open = known.map(toKnownReading);
  const settled: Settled[] = [];
  for (const candidate of candidates) {
    if (settled.length >= maxFacts) break;
    // What will not be proposed must not push aside what would.
    if (scoreOf(candidate) >= leastConfidence && candidate.text.length <= maxFactLength)
      settle(candidate, settled, open);
  }
  return settled.flatMap(({ candidate }) => toFact(candidate, messages) ?? []);
}

function settle(candidate: Candidate, settled: Settled[], open: Reading[]): void {
  const reading = toReading(candidate);
  const same = settled.find((other) => repeats(reading, other.reading));
  if (same !== undefined) {
    same.candidate.messages = [...new Set([...same.candidate.messages, ...candidate.messages])];
    const again = same.candidate.weights.filter(({ reason }) => reason === repetition.reason).length;
    if (again < mostRepetitions) same.candidate.weights.push(repetition);
    return;
  }
  if (open.some((fact) => repeats(reading, fact))) return;
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

function toFact(candidate: Candidate, messages: readonly ConversationMessage[]): ProposedFact | undefined {
  const { kind, text, supersedes } = candidate;
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
    ...times,
  };
}

/** Undefined for a passing state whose end cannot be told. */
export function timesOf(
  candidate: Candidate,
  timestamp: string | undefined,
): Pick<ProposedFact, 'expiresAt' | 'occurredOn'> | undefined {
  const passing = candidate.kind === 'circumstance';
  const messageDay = toMessageDay(timestamp);
  const past = candidate.past || /\b(?:was|were|did|had|went|ago|since)\b/iu.test(candidate.text);
  const found = messageDay && resolveDate(candidate.text, messageDay, past);
  if (found === undefined) return passing ? undefined : {};
  if (passing) return { expiresAt: new Date(found.endMs).toISOString() };
  return candidate.yearly ? {} : { occurredOn: { from: found.from, to: found.to } };
}
