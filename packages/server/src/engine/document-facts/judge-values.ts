import type { Fact } from '../../ports/facts.js';
import type { Tables } from '../../ports/store.js';
import type { KnownAttribute } from '../facts/attributes.js';
import { countStatements } from '../facts/count-statements.js';
import { textKey, valueKey } from '../facts/fact-keys.js';
import { statusOf } from '../facts/read-facts.js';
import { leftDocument } from './document-fact-watcher.js';
import type { PastValue } from './document-past.js';
import { type JudgedValue, sentenceOf } from './plan-agreement.js';
import { findAttributes } from './value-lessons.js';

interface Judged {
  values: JudgedValue[];
  /** All facts that the document has to do with. */
  facts: Fact[];
}

/** Finds out what the facts say about the values of a document. */
export async function judgeValues(tables: Tables, past: readonly PastValue[], now: Date): Promise<Judged> {
  const known = await readFacts(tables, past);
  const isCurrent = (fact: Fact) => statusOf(fact, now) === 'current';
  const values = await Promise.all(
    past.map(async (value): Promise<JudgedValue> => {
      const facts = known.of(value);
      const verdict = verdictOf(value, facts, now);
      const isTrue = !value.isPresent && facts.some(isCurrent);
      const mayReturn = isTrue && (value.isRemovedForFacts || (await wasTakenBack(tables, facts.filter(isCurrent))));
      return { ...value, facts, verdict, mayReturn, successor: await successorOf(tables, value, facts, known, now) };
    }),
  );
  return { values, facts: known.all };
}

function verdictOf(value: PastValue, facts: readonly Fact[], now: Date): JudgedValue['verdict'] {
  if (facts.length === 0) return value.writtenFor === undefined ? 'unknown' : 'over';
  const isOver = facts.every((fact) => ['superseded', 'ended', 'retracted'].includes(statusOf(fact, now)));
  // A text that says more than its facts may still be true.
  const saysMore =
    value.rule.attribute === undefined && value.writtenFor === undefined && countStatements(value.text) > facts.length;
  return isOver && !saysMore ? 'over' : 'stands';
}

interface KnownFacts {
  all: Fact[];
  of(value: PastValue): Fact[];
  /** The facts of the same subject and attribute, if it is the value of one. */
  beside(value: PastValue): Fact[];
}

async function readFacts(tables: Tables, past: readonly PastValue[]): Promise<KnownFacts> {
  const attributes = await findAttributes(tables, past);
  const groups = new Map<string, Fact[]>();
  const mapped = past.filter(({ rule }) => rule.attribute !== undefined);
  for (const value of mapped) {
    const group = groupOf(value, attributes);
    if (groups.has(group)) continue;
    const { key = '' } = attributes.get(value.rule.attribute ?? '') ?? {};
    groups.set(group, await tables.facts.ofKeys({ subjectKey: textKey(value.subject), attributeKey: key }));
  }
  const texts = past.filter(({ rule }) => rule.attribute === undefined);
  const [cited, written] = await Promise.all([
    tables.facts.basedOn(texts.map(({ memoryId }) => memoryId)),
    tables.facts.get([...new Set(texts.flatMap(({ writtenFor = [] }) => writtenFor))], null),
  ]);
  const beside = (value: PastValue) => groups.get(groupOf(value, attributes)) ?? [];
  return {
    all: [...[...groups.values()].flat(), ...cited, ...written],
    beside,
    of(value) {
      const { rule, subject, text, memoryId, writtenFor = [] } = value;
      if (rule.attribute !== undefined) {
        const { comparison = 'text' } = attributes.get(rule.attribute) ?? {};
        return beside(value).filter((fact) => fact.valueKey === valueKey(text, comparison));
      }
      const own = written.filter((fact) => writtenFor.includes(fact.id) && sentenceOf(fact, subject) === text);
      return [...cited.filter(({ evidence }) => evidence.includes(memoryId)), ...own];
    },
  };
}

function groupOf({ rule, subject }: PastValue, attributes: ReadonlyMap<string, KnownAttribute>): string {
  return JSON.stringify([textKey(subject), attributes.get(rule.attribute ?? '')?.key ?? null]);
}

/** Longer chains of values that replaced each other are not followed. */
const longestChain = 50;

/** Returns the fact that took the place of these and is true now. Outside of lists, any fact about the same is as good. */
async function successorOf(
  tables: Tables,
  value: PastValue,
  facts: readonly Fact[],
  known: KnownFacts,
  now: Date,
): Promise<Fact | undefined> {
  if (!value.isPresent) return undefined;
  for (const fact of facts) {
    let next: Fact | undefined = fact;
    for (let steps = 0; steps < longestChain && next !== undefined; steps++) {
      if (next !== fact && statusOf(next, now) === 'current') return next;
      const id: string | null = next.state.supersededBy;
      next = id === null ? undefined : (await tables.facts.get([id], null))[0];
    }
  }
  if (value.index !== null) return undefined;
  return known
    .beside(value)
    .filter((fact) => statusOf(fact, now) === 'current')
    .sort((one, other) => other.state.validFrom.getTime() - one.state.validFrom.getTime())[0];
}

/** Whether somebody took back that a fact ended when it was removed from the document. */
async function wasTakenBack(tables: Tables, facts: readonly Fact[]): Promise<boolean> {
  for (const { id } of facts) {
    const steps = (await tables.facts.steps(id)).filter(({ cause }) => cause === id);
    const { undoes = null } = steps.at(-1) ?? {};
    if (undoes !== null && steps.some(({ seq, reason }) => seq === undoes && reason === leftDocument)) return true;
  }
  return false;
}
