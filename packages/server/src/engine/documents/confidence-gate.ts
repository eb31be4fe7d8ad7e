import {
  formatPointer,
  type Json,
  type PatchOperation,
  Problem,
  parsePointer,
  startsWithSegments,
} from '@memhall/core';
import type { Profile } from './profile.js';

export interface Proposal {
  ops: readonly PatchOperation[];
  reason: string;
  /** null: the writer gave none. */
  confidence: number | null;
  evidence: Json | null;
}

export interface Admitted {
  ops: readonly PatchOperation[];
  /** Whether what was proposed waits for confirmation instead. */
  redirected: boolean;
}

/**
 * Lets a proposal through, turns it into a question to be confirmed, or throws EVIDENCE_REQUIRED or CONFIDENCE_TOO_LOW.
 * Writers that give no confidence vouch for what they write, except replays, which only guess.
 */
export function admit(profile: Profile, proposal: Proposal, now: Date): Admitted {
  const facts = addedFacts(profile, proposal.ops);
  checkEvidence(proposal, facts);
  const needed = neededConfidence(profile, proposal, facts);
  if (needed === undefined) return { ops: proposal.ops, redirected: false };
  const pending = profile.onLowConfidence === 'pending' ? toPending(profile, proposal, now) : [];
  if (pending.length === 0) throw tooLow(proposal, needed);
  return { ops: pending, redirected: true };
}

function checkEvidence({ reason, evidence }: Proposal, facts: readonly Json[]): void {
  if (reason === 'replay_update' && isEmpty(evidence)) {
    throw new Problem('EVIDENCE_REQUIRED', 'A replay_update must say what it was concluded from: send evidence.');
  }
  if (isEmpty(evidence) && facts.some((fact) => isEmpty(memberOf(fact, 'evidence')))) {
    throw new Problem('EVIDENCE_REQUIRED', 'A durable fact must say what it was concluded from: send evidence.');
  }
}

/** The threshold that is missed, or undefined. */
function neededConfidence(profile: Profile, proposal: Proposal, facts: readonly Json[]): number | undefined {
  const { confidence, reason } = proposal;
  const given = confidence ?? (reason === 'replay_update' ? 0 : undefined);
  const durable = facts.length > 0 || touches(profile.sections.durable_facts, proposal.ops);
  const lowest = given ?? Math.min(1, ...facts.map((fact) => memberOf(fact, 'confidence')).filter(isNumber));
  if (durable && lowest < profile.minConfidenceForDurableFact) return profile.minConfidenceForDurableFact;
  return given !== undefined && given < profile.minConfidenceForAutoApply
    ? profile.minConfidenceForAutoApply
    : undefined;
}

function touches(section: readonly string[] | undefined, ops: readonly PatchOperation[]): boolean {
  return (
    section !== undefined &&
    ops.some(({ op, path }) => op !== 'test' && op !== 'remove' && startsWithSegments(section, parsePointer(path)))
  );
}

/** What the operations put under the durable facts. */
function addedFacts({ sections: { durable_facts } }: Profile, ops: readonly PatchOperation[]): Json[] {
  if (durable_facts === undefined) return [];
  return ops.flatMap((operation) => {
    if (operation.op !== 'add' && operation.op !== 'replace') return [];
    const segments = parsePointer(operation.path);
    if (!startsWithSegments(durable_facts, segments)) return [];
    if (segments.length === durable_facts.length + 1) return [operation.value];
    return segments.length === durable_facts.length && Array.isArray(operation.value) ? operation.value : [];
  });
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
  const defaults = {
    confidence: given.confidence ?? 0,
    evidence: given.evidence ?? {},
    last_verified_at: now.toISOString(),
  };
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const text = typeof value.text === 'string' ? value.text : JSON.stringify(value);
    const expiry = typeof value.expires_at === 'string' ? { expires_at: value.expires_at } : {};
    return { text, ...defaults, evidence: memberOf(value, 'evidence') ?? defaults.evidence, ...expiry };
  }
  return { text: typeof value === 'string' ? value : JSON.stringify(value), ...defaults };
}

function tooLow({ confidence, reason }: Proposal, needed: number): Problem {
  const message =
    confidence === null && reason === 'replay_update'
      ? 'A replay_update must say how sure it is: send confidence.'
      : `This needs a confidence of at least ${needed}.`;
  return new Problem('CONFIDENCE_TOO_LOW', message, { details: { confidence, min_confidence: needed } });
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
