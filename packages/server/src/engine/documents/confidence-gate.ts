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

export interface Proposal {
  ops: readonly PatchOperation[];
  /** The document that the operations were applied to, and what came of it. */
  before: Json;
  after: Json;
  reason: string;
  /** null: the writer gave none. */
  confidence: number | null;
  evidence: Json | null;
}

/** `redirected`: what was proposed is to wait for confirmation, since it missed the threshold `needed`. */
export type Admitted =
  | { redirected: false; ops: readonly PatchOperation[] }
  | { redirected: true; ops: readonly PatchOperation[]; needed: number };

/**
 * Lets a proposal through, turns it into a question to be confirmed, or throws EVIDENCE_REQUIRED or CONFIDENCE_TOO_LOW.
 * Writers that give no confidence vouch for what they write, except replays, which only guess.
 */
export function admit(profile: Profile, proposal: Proposal, now: Date): Admitted {
  const { durable_facts: section } = profile.sections;
  const durable = section !== undefined && touches(section, proposal.ops);
  const facts = durable ? newFacts(section, proposal) : [];
  checkReplay(profile, proposal);
  if (isEmpty(proposal.evidence) && facts.some((fact) => isEmpty(memberOf(fact, 'evidence')))) {
    throw new Problem('EVIDENCE_REQUIRED', 'A durable fact must say what it was concluded from: send evidence.');
  }
  const needed = missedThreshold(profile, proposal, durable, facts);
  if (needed === undefined) return { ops: proposal.ops, redirected: false };
  const pending = profile.onLowConfidence === 'pending' ? toPending(profile, proposal, now) : [];
  if (pending.length === 0) throw tooLow(proposal, needed, `This needs a confidence of at least ${needed}.`);
  return { ops: pending, redirected: true, needed };
}

function checkReplay(profile: Profile, proposal: Proposal): void {
  if (proposal.reason !== 'replay_update') return;
  if (isEmpty(proposal.evidence)) {
    throw new Problem('EVIDENCE_REQUIRED', 'A replay_update must say what it was concluded from: send evidence.');
  }
  if (proposal.confidence === null) {
    const message = 'A replay_update must say how sure it is: send confidence.';
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

/** Whether an operation changes something in the section, or the section with what is around it. */
function touches(section: readonly string[], ops: readonly PatchOperation[]): boolean {
  return ops.some((operation) => {
    if (operation.op === 'test') return false;
    const places = operation.op === 'move' ? [operation.from, operation.path] : [operation.path];
    return places
      .map(parsePointer)
      .some((place) => startsWithSegments(section, place) || startsWithSegments(place, section));
  });
}

/** Facts that were not there before, however they came: by value, so that a changed one counts as new. */
function newFacts(section: readonly string[], { before, after }: Proposal): Json[] {
  const known = new Set(membersAt(before, section).map(canonicalJson));
  return membersAt(after, section).filter((fact) => !known.has(canonicalJson(fact)));
}

function membersAt(document: Json, section: readonly string[]): Json[] {
  const found = getAt(document, section);
  return found !== null && typeof found === 'object' ? Object.values(found) : [];
}

/** What the operations would have added, each as a question of its own. */
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
  const said = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    text: typeof text === 'string' ? text : said,
    confidence: given.confidence ?? (isNumber(confidence) ? confidence : 0),
    evidence: isEmpty(evidence) ? (given.evidence ?? {}) : evidence,
    last_verified_at: now.toISOString(),
    ...(typeof expiry === 'string' ? { expires_at: expiry } : {}),
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
