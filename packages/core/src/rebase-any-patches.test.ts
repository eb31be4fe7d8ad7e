import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { document, freezeDeeply, memberName, patchFor } from '../test/support/arbitrary-patch.js';
import { rebase } from '../test/support/rebase.js';
import { applyPatch } from './apply-patch.js';
import { canonicalJson, type Json } from './json.js';
import type { PatchOperation } from './json-patch.js';
import { formatPointer } from './json-pointer.js';
import { Problem } from './problem.js';
import { rebasePatch } from './rebase-patch.js';

describe('any two patches', () => {
  it('stay the same without concurrent changes', () => {
    fc.assert(
      fc.property(document, fc.gen(), (base, random) => {
        const ops = patchFor(base, random);
        expect(rebasePatch({ base, latest: structuredClone(base), ops })).toEqual({ ops });
      }),
    );
  });

  it('both take effect if they change different members', () => {
    fc.assert(
      fc.property(document, document, fc.gen(), (left, right, random) => {
        const base = { left, right };
        const ops = patchFor(left, random).map((operation) => under('/left', operation));
        const others = patchFor(right, random).map((operation) => under('/right', operation));
        const latest = applyPatch(base, others);
        const expected = { ...(latest as object), left: (applyPatch(base, ops) as typeof base).left };
        expect(canonicalJson(rebase(base, latest, ...ops))).toBe(canonicalJson(expected));
      }),
    );
  });

  it('either conflict or apply to the latest document', () => {
    fc.assert(
      fc.property(document, fc.gen(), (base, random) => {
        const ops = freezeDeeply(patchFor(freezeDeeply(base), random));
        const latest = freezeDeeply(applyPatch(base, patchFor(base, random)));
        const outcome = rebasePatch({ base, latest, ops });
        if ('ops' in outcome) applyPatch(latest, outcome.ops);
      }),
      { numRuns: 1000 },
    );
  });

  it('give the same document in either order, except for the order of elements', () => {
    const kinds = ['add', 'replace', 'remove', 'test'] as const;
    fc.assert(
      fc.property(document, fc.gen(), (base, random) => {
        const mine = patchFor(base, random, { kinds, values: markedBy('me'), maxLength: 3 });
        const theirs = patchFor(base, random, { kinds, values: markedBy('others'), maxLength: 3 });
        const mineLast = rebaseOver(base, theirs, mine);
        const theirsLast = rebaseOver(base, mine, theirs);
        if (mineLast === undefined || theirsLast === undefined) return;
        expect(withoutOrder(mineLast)).toBe(withoutOrder(theirsLast));
      }),
      { numRuns: 1000 },
    );
  });

  it('merge objects member by member', () => {
    const flat = fc.dictionary(memberName, fc.nat({ max: 2 }), { maxKeys: 4, noNullPrototype: true });
    fc.assert(
      fc.property(flat, flat, flat, (base, mine, theirs) => {
        const names = [...new Set([base, mine, theirs].flatMap(Object.keys))];
        const inConflict = names.some((name) => {
          const [old, own, other] = [base, mine, theirs].map((version) => memberOf(version, name));
          return own !== old && other !== old && own !== other;
        });
        const outcome = rebasePatch({ base, latest: theirs, ops: changesOf(base, mine) });
        expect('conflict' in outcome).toBe(inConflict);
        if ('conflict' in outcome) return;
        const merged = applyPatch(theirs, outcome.ops) as Record<string, number>;
        for (const name of names) {
          const own = memberOf(mine, name);
          expect(memberOf(merged, name)).toBe(own === memberOf(base, name) ? memberOf(theirs, name) : own);
        }
      }),
    );
  });

  it('keep every element that either added and none that either removed', () => {
    const step = fc.record({ remove: fc.boolean(), at: fc.nat() });
    const steps = fc.array(step, { maxLength: 5 });
    fc.assert(
      fc.property(fc.nat({ max: 8 }), steps, steps, (length, mySteps, theirSteps) => {
        const base = Array.from({ length }, (_, index) => `base ${index}`);
        const ops = listChanges(base, mySteps, 'mine');
        const mine = applyPatch(base, ops) as string[];
        const theirs = applyPatch(base, listChanges(base, theirSteps, 'theirs')) as string[];
        const outcome = rebasePatch({ base, latest: theirs, ops });
        if ('conflict' in outcome) return;
        const kept = base.filter((element) => mine.includes(element) && theirs.includes(element));
        const brought = [...mine, ...theirs].filter((element) => !base.includes(element));
        const merged = applyPatch(theirs, outcome.ops) as string[];
        expect([...merged].sort()).toEqual([...kept, ...brought].sort());
        expect(merged.filter((element) => !mine.includes(element) || base.includes(element))).toEqual(
          theirs.filter((element) => merged.includes(element)),
        );
        expect(merged.filter((element) => mine.includes(element))).toEqual(
          mine.filter((element) => merged.includes(element)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('keep everything that both append', () => {
    const list = fc.array(document, { maxLength: 4 });
    fc.assert(
      fc.property(list, list, list, (base, mine, theirs) => {
        const ops = mine.map((value): PatchOperation => ({ op: 'add', path: '/-', value }));
        expect(rebase(base, [...base, ...theirs], ...ops)).toEqual([...base, ...theirs, ...mine]);
      }),
    );
  });

  it('throw only problems', () => {
    fc.assert(
      fc.property(document, document, document, fc.gen(), (base, latest, other, random) => {
        try {
          rebasePatch({ base, latest, ops: patchFor(other, random) });
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});

function under(prefix: string, operation: PatchOperation): PatchOperation {
  const path = `${prefix}${operation.path}`;
  return 'from' in operation ? { ...operation, path, from: `${prefix}${operation.from}` } : { ...operation, path };
}

function rebaseOver(base: Json, first: PatchOperation[], second: PatchOperation[]): Json | undefined {
  const latest = applyPatch(base, first);
  const outcome = rebasePatch({ base, latest, ops: second });
  return 'ops' in outcome ? applyPatch(latest, outcome.ops) : undefined;
}

/** Values that the other side never generates, so that nothing is equal by accident. */
function markedBy(name: string): fc.Arbitrary<Json> {
  return fc.oneof(
    fc.constant(name),
    fc.nat({ max: 9 }).map((n) => ({ [name]: [n] })),
  );
}

function withoutOrder(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(withoutOrder).sort().join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${withoutOrder(value[name] as Json)}`).join()}}`;
}

function memberOf(version: Record<string, number>, name: string): number | undefined {
  return Object.hasOwn(version, name) ? version[name] : undefined;
}

function changesOf(base: Record<string, number>, mine: Record<string, number>): PatchOperation[] {
  const names = [...new Set([...Object.keys(base), ...Object.keys(mine)])];
  return names.flatMap((name): PatchOperation[] => {
    const path = formatPointer([name]);
    const value = memberOf(mine, name);
    if (value === memberOf(base, name)) return [];
    return [value === undefined ? { op: 'remove', path } : { op: 'add', path, value }];
  });
}

function listChanges(base: string[], steps: { remove: boolean; at: number }[], name: string): PatchOperation[] {
  let { length } = base;
  return steps.map(({ remove, at }, step): PatchOperation => {
    if (remove && length > 0) return { op: 'remove', path: `/${at % length--}` };
    return { op: 'add', path: `/${at % ++length}`, value: `${name} ${step}` };
  });
}
