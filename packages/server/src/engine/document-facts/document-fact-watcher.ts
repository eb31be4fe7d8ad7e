import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { PieceChange, PieceWatcher } from '../document-pieces/piece-change.js';
import { pieceKind } from '../document-pieces/piece-memory.js';
import type { Engine } from '../engine.js';
import { endFacts } from '../facts/end-facts.js';
import { learnFacts } from '../facts/learn-facts.js';
import { tellRemoved } from '../memories/memory-watcher.js';
import { originOfWrite } from '../memories/origin-of-write.js';
import { readTexts } from './read-texts.js';
import { type ShownValue, shownValues } from './shown-values.js';
import { findAttributes, keysOf, statedBy, textsOf, toLearned } from './value-lessons.js';

/** Reason of the versions that follow from facts. */
export const factReason = 'fact_update';

/**
 * Lets documents and facts agree: what somebody writes to a place that the profile maps to facts becomes a fact, and what somebody
 * removes there ends. What Memhall writes itself states nothing, because its sources do: so a fact never becomes its own evidence.
 */
export const documentFactWatcher: PieceWatcher = {
  async follow(engine, tables, caller, change) {
    const { document, rules, reason, lost, added, now } = change;
    const isKept = reason === 'compaction' || reason === factReason;
    if (document === undefined || rules === undefined || rules.binding.factRules.length === 0 || reason === undefined) {
      return isKept ? [] : tellRemoved(engine, tables, lost, now);
    }
    if (isKept || isOwnWork(caller)) return [];
    const values = added.length === 0 ? [] : shownValues(caller, document, rules.binding, document.body);
    const learned = await learn(engine, tables, caller, { ...change, values });
    return [...learned, ...(await endLost(tables, caller, change))];
  },
};

function isOwnWork({ actor }: Caller): boolean {
  return actor.userId === null && actor.serviceId === 'memhall';
}

async function learn(
  engine: Engine,
  tables: Tables,
  caller: Caller,
  { values, added, document, now, slow }: PieceChange & { values: readonly ShownValue[] },
): Promise<Mutation[]> {
  const stated = statedBy(values, added);
  if (stated.length === 0 || document === undefined) return [];
  // A value that comes back is said again: facts that it was evidence of before are over.
  tables.facts.removeEvidence(stated.map(({ memory }) => memory.id));
  const attributes = await findAttributes(
    tables,
    stated.map(({ value }) => value),
  );
  const texts = textsOf(stated);
  const input = texts.map(({ value }) => value.text);
  const read = input.length === 0 ? [] : slow.get('document statements', input, () => readTexts(engine, caller, texts));
  const learned = toLearned(stated, attributes, read);
  tables.factPlaces.add(keysOf(learned), document, now);
  return learnFacts(tables, learned, now);
}

/** Ends the facts that nothing but removed values said. */
async function endLost(tables: Tables, caller: Caller, { lost, document, now }: PieceChange): Promise<Mutation[]> {
  if (lost.length === 0) return [];
  const gone = new Set(lost);
  const based = await tables.facts.basedOn(lost);
  const alone = based.filter(({ state, evidence }) => !state.isStated && evidence.every((id) => gone.has(id)));
  const { trust } = originOfWrite(caller, { kind: pieceKind });
  const at = new Date(document?.body.updated_at ?? now);
  return endFacts(tables, alone, { trust, at, reason: leftDocument }, now);
}

/** Why a fact ended that was removed from a document. */
export const leftDocument = 'left_document';
