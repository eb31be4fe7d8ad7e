import type { Static } from 'typebox';
import type { SubjectPage as KnownSubject } from '../../engine/facts/read-subjects.js';
import type { SubjectSummary } from '../../ports/subjects.js';
import type { SubjectList, SubjectPage } from './subject-schemas.js';
import { toEvidence, toFact } from './to-fact.js';

export function toSubject(page: KnownSubject): Static<typeof SubjectPage> {
  const { subject, aliases, facts, timeline, sources, isShortened } = page;
  return {
    ...{ subject, aliases, facts: facts.map(toFact) },
    timeline: timeline.map(({ at, event, fact }) => ({
      ...{
        at: at.toISOString(),
        event,
        fact_id: fact.id,
        attribute: fact.attribute,
        value: fact.value,
        text: fact.text,
      },
      trust: fact.state.trust,
      ...(event === 'superseded' && fact.state.supersededBy !== null && { superseded_by: fact.state.supersededBy }),
      evidence: fact.evidence,
    })),
    sources: sources.map(({ memory, facts: based }) => ({ ...toEvidence(memory), facts: based })),
    shortened: isShortened,
  };
}

export function toSubjectSummary(known: SubjectSummary): Static<typeof SubjectList>['subjects'][number] {
  const { name, aliases, facts, current } = known;
  return { subject: name, aliases: aliases.map((alias) => alias.name), facts, current };
}
