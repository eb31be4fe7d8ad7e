import type { FactPosition } from '../../ports/facts.js';
import { scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { statusOf } from '../facts/read-facts.js';
import type { Member } from '../one-memory/member.js';
import type { ExportPart } from './export-part.js';

const pageSize = 200;

/** All facts, with those that are over or were retracted, by subject and attribute. */
export async function* exportFacts(engine: Engine, member: Member): AsyncGenerator<ExportPart[]> {
  const now = engine.clock.now();
  for (let after: FactPosition | undefined; ; ) {
    const page = { after, limit: pageSize };
    const facts = await engine.store.read(scopeOf(member), (tables) => tables.facts.all(page));
    yield facts.map((fact) => ({ type: 'fact', fact, status: statusOf(fact, now) }));
    if (facts.length < pageSize) return;
    after = facts.at(-1);
  }
}
