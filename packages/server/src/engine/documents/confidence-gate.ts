import {
  canonicalJson,
  formatPointer,
  getAt,
  type Json,
  type PatchOperation,
  Problem,
  parsePointer,
  startsWithSegments,
} from '@memhall/core';
import type { Profile } from './profile.js';

interface Proposal {
  ops: readonly PatchOperation[];
  /** The document that the operations were applied to. */
  before: Json;
  /** The document that resulted. */
  after: Json;
  reason: string;
  /** null if the writer gave none. */
  confidence: number | null;
  evidence: Json | null;
}

/** `redirected`: the proposal missed the threshold `needed`, so `ops` add questions to be confirmed instead. */
type Admitted =
  | { redirected: false; ops: readonly PatchOperation[] }
  | { redirected: true; ops: readonly PatchOperation[]; needed: number };

/**
 * Admits a proposal, turns it into questions to be confirmed, or throws EVIDENCE_REQUIRED or CONFIDENCE_TOO_LOW. A writer that
 * gives no confidence vouches for the change, so only the confidence of the new facts themselves is checked. Replays only guess
 * and must give one.
 */
export function admit(profile: Profile, proposal: Proposal, now: Date): Admitted {
  const { durable_facts: section } = profile.sections;
  const durable = section !== undefined && touches(section, proposal.ops);
  const facts = durable ? newFacts(section, proposal) : [];
  checkReplay(profile, proposal);
  if (isEmpty(proposal.evidence) && facts.some((fact) => isEmpty(memberOf(fact, 'evidence')))) {
    throw new Problem('EVIDENCE_REQUIRED', 'A durable fact needs evidence: send `evidence`.');
  }
  const needed = missedThreshold(profile, proposal, durable, facts);
  if (needed === undefined) return { ops: proposal.ops, redirected: false };
  const pending = profile.onLowConfidence === 'pending' ? toPending(profile, proposal, now) : [];
  if (pending.length === 0) throw tooLow(proposal, needed, `This change needs a confidence of at least ${needed}.`);
  return { ops: pending, redirected: true, needed };
}

function checkReplay(profile: Profile, proposal: Proposal): void {
  if (proposal.reason !== 'replay_update') return;
  if (isEmpty(proposal.evidence)) {
    throw new Problem('EVIDENCE_REQUIRED', 'A replay_update needs evidence: send `evidence`.');
  }
  if (proposal.confidence === null) {
    const message = 'A replay_update needs a confidence: send `confidence`.';
    throw tooLow(proposal, profile.minConfidenceForAutoApply, message);
  }
}

function missedThreshold(
  profile: Profile,
  { confidence }: Proposal,
  durable: boolean,
  facts: readonly Json[],
): number | undefined {
  const lowest = confidence ?? Math.min(1, ...facts.map((fact) => memberOf(fact, 'confidence')).filter(isNumber));
  if (durable && lowest < profile.minConfidenceForDurableFact) return profile.minConfidenceForDurableFact;
  return confidence !== null && confidence < profile.minConfidenceForAutoApply
    ? profile.minConfidenceForAutoApply
    : undefined;
}

/** Returns whether an operation changes the section, a part of it, or something that contains it. */
function touches(section: readonly string[], ops: readonly PatchOperation[]): boolean {
  return ops.some((operation) => {
    if (operation.op === 'test') return false;
    const places = operation.op === 'move' ? [operation.from, operation.path] : [operation.path];
    return places
      .map(parsePointer)
      .some((place) => startsWithSegments(section, place) || startsWithSegments(place, section));
  });
}

/** Returns the facts that were not there before. Facts are compared by value, so a changed one counts as new. */
function newFacts(section: readonly string[], { before, after }: Proposal): Json[] {
  const known = new Set(membersAt(before, section).map(canonicalJson));
  return membersAt(after, section).filter((fact) => !known.has(canonicalJson(fact)));
}

function membersAt(document: Json, section: readonly string[]): Json[] {
  const found = getAt(document, section);
  return found !== null && typeof found === 'object' ? Object.values(found) : [];
}

/** Returns operations that add a question for each value that the operations would have added or replaced. */
function toPending(profile: Profile, { ops, confidence, evidence }: Proposal, now: Date): PatchOperation[] {
  const { pending } = profile.sections;
  if (pending === undefined) return [];
  const added = ops.flatMap((operation) =>
    operation.op === 'add' || operation.op === 'replace' ? [operation.value] : [],
  );
  return added
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .map((value) => ({
      op: 'add',
      path: formatPointer([...pending, '-']),
      value: toQuestion(value, { confidence, evidence }, now),
    }));
}

function toQuestion(value: Json, given: { confidence: number | null; evidence: Json | null }, now: Date): Json {
  const text = memberOf(value, 'text');
  const confidence = memberOf(value, 'confidence');
  const evidence = memberOf(value, 'evidence');
  const expiry = memberOf(value, 'expires_at');
  const staleAfter = memberOf(value, 'stale_after');
  const valueText = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    text: typeof text === 'string' ? text : valueText,
    confidence: given.confidence ?? (isNumber(confidence) ? confidence : 0),
    evidence: isEmpty(evidence) ? (given.evidence ?? {}) : evidence,
    last_verified_at: now.toISOString(),
    ...(typeof expiry === 'string' ? { expires_at: expiry } : {}),
    ...(typeof staleAfter === 'string' ? { stale_after: staleAfter } : {}),
  };
}

export function tooLow(
  { confidence }: Pick<Proposal, 'confidence'>,
  needed: number,
  message: string,
  cause?: Problem,
): Problem {
  return new Problem('CONFIDENCE_TOO_LOW', message, { details: { confidence, min_confidence: needed }, cause });
}

function memberOf(value: Json, name: string): Json | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, name)) return null;
  return value[name] ?? null;
}

function isNumber(value: Json | null): value is number {
  return typeof value === 'number';
}

function isEmpty(evidence: Json | null): boolean {
  if (evidence === null || evidence === '') return true;
  return typeof evidence === 'object' && Object.keys(evidence).length === 0;
}
