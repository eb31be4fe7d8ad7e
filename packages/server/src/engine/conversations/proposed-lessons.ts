import type { FactKind, ProposedFact } from '../../ports/extractor.js';
import type { StatedFact } from '../../ports/statement-reader.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { Lesson } from '../facts/learn-facts.js';

/** Returns the attributes that facts of the caller's tenant can be about; none if nothing is learned. */
export async function knownAttributes({ statements }: Engine, caller: Caller): Promise<Lesson['attributes']> {
  return statements === null ? new Map() : (await statements.lexicons.of(scopeOf(caller))).attributes;
}

/**
 * Returns what a text that a model picked states. `read` is what the rules read in it. The model ends nothing: what it says stands beside
 * what contradicts it, unconfirmed, until somebody confirms it. `corrects` says that it claims to correct another text.
 */
export function modelLesson(
  fact: Pick<ProposedFact, 'kind' | 'text' | 'expiresAt' | 'states'>,
  { read, attributes, corrects }: { read: Lesson | undefined; attributes: Lesson['attributes']; corrects: boolean },
): Lesson {
  if (read !== undefined) return withoutEnds(read);
  return statedLesson(fact, attributes) ?? plainLesson(fact, corrects ? 'unclear' : 'clear');
}

/** What the model says that the text states, if the attribute is known. */
export function statedLesson(
  { states }: Pick<ProposedFact, 'states'>,
  attributes: Lesson['attributes'],
): Lesson | undefined {
  if (states === undefined || !attributes.has(states.attribute)) return undefined;
  return { stated: [{ ...plain, ...states, assertion: 'holds', isAdded: false, certainty: 'yields' }], attributes };
}

function withoutEnds({ stated, attributes }: Lesson): Lesson {
  const proposed = stated
    .filter(({ assertion }) => assertion === 'holds' || assertion === 'held')
    .map((one): StatedFact => ({ ...one, certainty: certaintyOf(one) }));
  return { stated: proposed, attributes };
}

/** An end that is named would be that of the fact that says the same. */
function certaintyOf({ certainty, until }: StatedFact): StatedFact['certainty'] {
  if (until !== undefined) return 'unclear';
  return certainty === 'clear' ? 'yields' : certainty;
}

/** The text as a fact of its own, if it is about no known attribute. */
export function plainLesson(
  { kind, text, expiresAt }: Pick<ProposedFact, 'kind' | 'text' | 'expiresAt'>,
  certainty: StatedFact['certainty'] = 'clear',
): Lesson {
  const until = expiresAt === undefined ? undefined : new Date(expiresAt);
  return toLesson(kind, { value: text, assertion: 'holds', until, isAdded: true, certainty });
}

/** That a text is over. */
export function overLesson(kind: FactKind, text: string): Lesson {
  return toLesson(kind, { value: text, assertion: 'over', isAdded: false, certainty: 'clear' });
}

const plain = { isSince: false, isRelative: false, namesYear: true, quote: '', isChange: true } as const;

function toLesson(
  kind: FactKind,
  stated: Pick<StatedFact, 'value' | 'assertion' | 'until' | 'isAdded' | 'certainty'>,
): Lesson {
  const attribute = attributeOfKind[kind];
  const known = { key: attribute, single: false, endsAlone: true, comparison: 'text', isLasting: false } as const;
  return { stated: [{ ...plain, subject: 'me', attribute, ...stated }], attributes: new Map([[attribute, known]]) };
}

const attributeOfKind: Record<FactKind, string> = {
  identity: 'about',
  relationship: 'relationship',
  preference: 'preference',
  decision: 'decision',
  circumstance: 'circumstance',
  explicit: 'remembered',
};
