import type { Static } from 'typebox';
import { type FactDetails, type SeenFact, statusOf } from '../../engine/facts/read-facts.js';
import type { Attribute as KnownAttribute } from '../../ports/attributes.js';
import type { Fact as StoredFact } from '../../ports/facts.js';
import type { Memory } from '../../ports/memories.js';
import type { Attribute, EvidenceMemory, Fact, FactWithEvidence } from './fact-schemas.js';

export function toFact({ fact, status }: SeenFact): Static<typeof Fact> {
  const { state } = fact;
  return {
    id: fact.id,
    subject: fact.subject,
    attribute: fact.attribute,
    value: fact.value,
    text: fact.text,
    valid_from: state.validFrom.toISOString(),
    valid_to: state.validTo?.toISOString() ?? null,
    recorded_at: fact.recordedAt.toISOString(),
    retracted_at: state.standing === 'retracted' ? fact.stateAt.toISOString() : null,
    confidence: state.confidence,
    trust: state.trust,
    status,
    evidence: fact.evidence,
  };
}

/** Returns the fact as it is now. */
export function toPresentFact(fact: StoredFact, now: Date): Static<typeof Fact> {
  return toFact({ fact, status: statusOf(fact, now) });
}

export function toFactWithEvidence(details: FactDetails): Static<typeof FactWithEvidence> {
  const { evidence, supersedes, steps, fact } = details;
  const { supersededBy } = fact.state;
  return {
    fact: toFact(details),
    evidence: evidence.map(toEvidence),
    supersedes,
    ...(supersededBy === null ? {} : { superseded_by: supersededBy }),
    history: steps.map(({ at, change, reason, note, cause }) => ({
      ...{ at: at.toISOString(), change, reason, note, cause },
    })),
  };
}

export function toEvidence(memory: Memory): Static<typeof EvidenceMemory> {
  return {
    id: memory.id,
    text: memory.content,
    kind: memory.kind,
    occurred_at: memory.occurredAt.toISOString(),
    recorded_at: memory.recordedAt.toISOString(),
    trust: memory.trust,
  };
}

export function toAttribute({ name, single, endsAlone, synonyms, patterns }: KnownAttribute): Static<typeof Attribute> {
  return { name, single, ends_alone: endsAlone, synonyms: [...synonyms], patterns: [...patterns] };
}
