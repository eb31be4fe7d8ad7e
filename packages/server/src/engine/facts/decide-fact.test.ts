import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FactClaim, FactState } from '../../ports/facts.js';
import type { Trust } from '../../ports/memory-origin.js';
import { trustLevels } from '../../ports/memory-origin.js';
import { isLower } from '../trust.js';
import { decideFact, type Statement } from './decide-fact.js';
import { type TimelineFact, toStates } from './fact-timeline.js';

const day = (number: number) => new Date(Date.UTC(2020, 0, number));

function say(valueKey: string, from: number, more: Partial<Statement> = {}): Statement {
  const validFrom = day(from);
  const dated = { validFrom, isUndated: false, assertedAt: null, endsAt: null };
  return { valueKey, ...dated, trust: 'user', confidence: 1, replaces: true, isStated: true, ...more };
}

/** "I live in …", said on a day. */
function sayUndated(valueKey: string, on: number, more: Partial<Statement> = {}): Statement {
  return say(valueKey, on, { isUndated: true, assertedAt: day(on), ...more });
}

/** "I moved to … last week", said on a day. */
function saySince(valueKey: string, from: number, on: number, more: Partial<Statement> = {}): Statement {
  return say(valueKey, from, { assertedAt: day(on), ...more });
}

/** Applies statements one after another, as the store does. */
function tell(...statements: readonly Statement[]): TimelineFact[] {
  return statements.reduce<TimelineFact[]>((facts, statement) => apply(facts, statement), []);
}

function apply(facts: readonly TimelineFact[], statement: Statement): TimelineFact[] {
  const { factId, claim } = decideFact(statement, facts);
  if (factId !== undefined) return facts.map((fact) => (fact.id === factId ? { ...fact, claim } : fact));
  const number = facts.length + 1;
  const recordedAt = new Date(number);
  return [...facts, { id: `f${number}`, valueKey: statement.valueKey, recordedAt, claim }];
}

/** Shows each fact as `value standing from–to>superseding`. */
function show(facts: readonly TimelineFact[]): string[] {
  const states = toStates(facts);
  const number = (date: Date | null | undefined) => (date ? (date.getTime() - day(1).getTime()) / 86_400_000 + 1 : '');
  return facts.map(({ id, valueKey }) => {
    const state = states.get(id);
    const by = state?.supersededBy == null ? '' : `>${state.supersededBy}`;
    return `${valueKey} ${state?.standing} ${number(state?.validFrom)}–${number(state?.validTo)}${by}`;
  });
}

describe('a statement', () => {
  it('takes the place of the current value from its beginning', () => {
    expect(show(tell(say('bergen', 1), say('oslo', 5)))).toEqual(['bergen held 1–5>f2', 'oslo held 5–']);
  });

  it('about an earlier time becomes history that ends where the next value begins', () => {
    const facts = tell(say('bergen', 5), say('oslo', 9), say('rome', 2));
    expect(show(facts)).toEqual(['bergen held 5–9>f2', 'oslo held 9–', 'rome held 2–5>f1']);
  });

  it('that does not say since when gives way to one that says later what is true since a time before', () => {
    const facts = tell(sayUndated('bergen', 9), saySince('oslo', 5, 9));
    expect(show(facts)).toEqual(['bergen held 4–5>f2', 'oslo held 5–']);
    expect(show(tell(saySince('oslo', 5, 9), sayUndated('bergen', 9)))).toEqual(['oslo held 5–', 'bergen held 4–5>f1']);
    const [bergen, oslo] = facts as [TimelineFact, TimelineFact];
    expect(show([bergen, { ...oslo, claim: { ...oslo.claim, standing: 'retracted' } }])[0]).toBe('bergen held 9–');
  });

  it('that does not say since when is still the later one if it is said later, or about a time in the past', () => {
    expect(show(tell(saySince('oslo', 5, 9), sayUndated('bergen', 10)))).toEqual([
      'oslo held 5–10>f2',
      'bergen held 10–',
    ]);
    expect(show(tell(sayUndated('bergen', 9), say('oslo', 5)))).toEqual(['bergen held 9–', 'oslo held 5–9>f1']);
  });

  it('that says again since when something is true is later than an undated one that came between', () => {
    const told = [say('oslo', 3), sayUndated('bergen', 9)];
    expect(show(tell(...told))).toEqual(['oslo held 3–9>f2', 'bergen held 9–']);
    expect(show(tell(...told, saySince('oslo', 5, 9)))).toEqual(['oslo held 3–', 'bergen held 2–3>f1']);
    expect(show(tell(...told, saySince('oslo', 5, 9, { trust: 'agent' })))).toEqual([
      'oslo held 3–9>f2',
      'bergen held 9–',
    ]);
  });

  it('that does not say since when keeps its time against less trusted ones', () => {
    const facts = tell(sayUndated('bergen', 9), saySince('oslo', 5, 9, { trust: 'agent' }));
    expect(show(facts)).toEqual(['bergen held 9–', 'oslo held 5–9>f1']);
  });

  it('that says since when gives an undated fact its beginning', () => {
    const facts = tell(sayUndated('bergen', 9), saySince('bergen', 3, 10));
    expect(show(facts)).toEqual(['bergen held 3–']);
    expect(show(apply(facts, saySince('oslo', 2, 12)))).toEqual(['bergen held 3–', 'oslo held 2–3>f1']);
  });

  it('that was true before another place is found again where it was put', () => {
    const facts = tell(sayUndated('bergen', 9), saySince('oslo', 5, 9), say('bergen', 1, { endsAt: day(5) }));
    expect(show(facts)).toEqual(['bergen held 1–5', 'oslo held 5–']);
  });

  it('that repeats the current value, or says better since when, is the same fact', () => {
    expect(show(tell(say('bergen', 5), say('bergen', 8)))).toEqual(['bergen held 5–']);
    expect(show(tell(say('bergen', 5), say('bergen', 2)))).toEqual(['bergen held 2–']);
    expect(show(tell(say('bergen', 5), say('bergen', 7, { endsAt: day(9) })))).toEqual(['bergen held 5–9']);
  });

  it('of a value that was left earlier is a new fact', () => {
    expect(show(tell(say('bergen', 1), say('oslo', 5), say('bergen', 9)))).toEqual([
      'bergen held 1–5>f2',
      'oslo held 5–9>f3',
      'bergen held 9–',
    ]);
  });

  it('that does not replace stands beside the others, until one does', () => {
    const facts = tell(say('tea', 1), say('milk', 2, { replaces: false }));
    expect(show(facts)).toEqual(['tea held 1–', 'milk held 2–']);
    expect(show(apply(facts, say('water', 3)))).toEqual(['tea held 1–3>f3', 'milk held 2–3>f3', 'water held 3–']);
  });

  it('of lower trust does not end one of higher trust, nor say when it ends', () => {
    const facts = tell(say('bergen', 1), say('oslo', 5, { trust: 'agent' }));
    expect(show(facts)).toEqual(['bergen held 1–', 'oslo unconfirmed 5–']);
    const ended = tell(say('bergen', 1), say('bergen', 3, { trust: 'agent', endsAt: day(5) }));
    expect(show(ended)).toEqual(['bergen held 1–', 'bergen unconfirmed 3–5']);
  });

  it('of higher trust is not ended by what an agent said before', () => {
    const facts = tell(say('oslo', 5, { trust: 'agent' }), say('rome', 9, { trust: 'agent' }), say('bergen', 1));
    expect(show(facts)).toEqual(['oslo unconfirmed 5–', 'rome unconfirmed 9–', 'bergen held 1–']);
    expect(show(facts.slice(0, 2))).toEqual(['oslo held 5–9>f2', 'rome held 9–']);
  });

  it('is believed once a source says it that is trusted as much as what it ends', () => {
    const facts = tell(say('bergen', 1), say('oslo', 5, { trust: 'external' }), say('oslo', 6, { trust: 'agent' }));
    expect(show(facts)).toEqual(['bergen held 1–', 'oslo unconfirmed 5–']);
    expect(show(apply(facts, say('oslo', 7)))).toEqual(['bergen held 1–5>f2', 'oslo held 5–']);
  });

  it('of tools and outside sources is not believed, however often it is repeated', () => {
    const lie = (from: number, trust: Trust) => say('rome', from, { trust });
    const facts = tell(lie(1, 'external'), lie(2, 'tool'), lie(3, 'external'), lie(4, 'tool'));
    expect(show(facts)).toEqual(['rome unconfirmed 1–']);
    expect(show(apply(facts, lie(5, 'agent')))).toEqual(['rome held 1–']);
  });

  it('that is unclear changes nothing', () => {
    expect(show(tell(say('bergen', 1), say('oslo', 5, { isUnclear: true })))).toEqual([
      'bergen held 1–',
      'oslo unconfirmed 5–',
    ]);
  });

  it('that is unclear does not lend its trust to somebody else who repeats it', () => {
    const facts = tell(say('bergen', 1), say('oslo', 5, { isUnclear: true }), say('oslo', 6, { trust: 'agent' }));
    expect(show(facts)).toEqual(['bergen held 1–', 'oslo unconfirmed 5–']);
    expect(show(apply(facts, say('oslo', 7)))).toEqual(['bergen held 1–5>f2', 'oslo held 5–']);
  });

  it('about the future leaves the present as it is until then', () => {
    expect(show(tell(say('bergen', 1), say('oslo', 30)))).toEqual(['bergen held 1–30>f2', 'oslo held 30–']);
  });
});

describe('any series of statements', () => {
  const times = (state: FactState | undefined) => [state?.validFrom, state?.validTo];
  const drawn = fc.record({
    valueKey: fc.constantFrom('a', 'b', 'c'),
    validFrom: fc.integer({ min: 1, max: 9 }).map(day),
    endsAt: fc.option(fc.integer({ min: 10, max: 14 }).map(day)),
    trust: fc.constantFrom(...trustLevels),
    confidence: fc.constantFrom(0.5, 1),
    replaces: fc.boolean(),
    isStated: fc.boolean(),
    isUnclear: fc.boolean(),
    isUndated: fc.boolean(),
    assertedAt: fc.option(fc.integer({ min: 0, max: 9 })),
  });
  const statement = drawn.map(
    ({ assertedAt, ...one }): Statement => ({
      ...one,
      assertedAt: one.isUndated
        ? one.validFrom
        : assertedAt === null
          ? null
          : new Date(one.validFrom.getTime() + assertedAt * 86_400_000),
    }),
  );
  const series = fc.array(statement, { maxLength: 8 });

  it('never lets a statement change how long a more trusted one that is held is valid', () => {
    fc.assert(
      fc.property(series, statement, (said, next) => {
        const before = tell(...said);
        const [was, is] = [toStates(before), toStates(apply(before, next))];
        for (const { id, claim } of before) {
          if (claim.standing === 'held' && isLower(next.trust, claim.trust))
            expect(times(is.get(id))).toEqual(times(was.get(id)));
        }
      }),
    );
  });

  it('never lets a less trusted fact take the place of a held one', () => {
    fc.assert(
      fc.property(series, (said) => {
        const facts = tell(...said);
        const trusts = new Map(facts.map(({ id, claim }) => [id, claim.trust]));
        for (const { standing, trust, supersededBy } of toStates(facts).values()) {
          if (standing !== 'held' || supersededBy === null) continue;
          expect(isLower(trusts.get(supersededBy) ?? 'external', trust)).toBe(false);
        }
      }),
    );
  });

  it('is restored exactly if the last claim is taken back', () => {
    fc.assert(
      fc.property(series, statement, (said, next) => {
        const before = tell(...said);
        const after = apply(before, next);
        const claims = new Map<string, FactClaim>(before.map(({ id, claim }) => [id, claim]));
        const undone = after.map((fact) => ({
          ...fact,
          claim: claims.get(fact.id) ?? { ...fact.claim, standing: 'retracted' as const },
        }));
        const states = toStates(undone);
        for (const [id, state] of toStates(before)) expect(states.get(id)).toEqual(state);
      }),
    );
  });

  it('leaves at most one value at any time if every statement replaces', () => {
    fc.assert(
      fc.property(series, (said) => {
        const states = [...toStates(tell(...said.map((one) => ({ ...one, replaces: true })))).values()];
        for (let number = 1; number < 15; number++) {
          const valid = states.filter(
            ({ standing, validFrom, validTo }) =>
              standing === 'held' && validFrom <= day(number) && (validTo === null || validTo > day(number)),
          );
          expect(valid.length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('never believes tools and outside sources alone', () => {
    fc.assert(
      fc.property(series, (said) => {
        const low = said.map((one, index) => ({
          ...one,
          trust: index % 2 ? ('tool' as const) : ('external' as const),
        }));
        expect(tell(...low).every(({ claim }) => claim.standing === 'unconfirmed')).toBe(true);
      }),
    );
  });
});
