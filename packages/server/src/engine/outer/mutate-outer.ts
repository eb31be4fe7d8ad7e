import { Problem } from '@memhall/core';
import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Tables } from '../../ports/store.js';
import type { Work } from '../audit/record-mutations.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { ArtifactTrace } from './artifact-trace.js';
import { attemptOuter, confirmingRefusals, ownerOf } from './attempt-outer.js';
import { catchUp } from './catch-up.js';
import { confirmSeen } from './confirm-seen.js';
import { Outdated } from './outdated.js';
import type { OuterArtifacts } from './outer-artifacts.js';

const maxTries = 5;

/** A write transaction of a user whose artifacts live in the outer store, run again until it went by what that store holds. */
export function mutateOuter<T>(engine: Engine, outer: OuterArtifacts, caller: Caller, work: Work<T>): Promise<T> {
  return untilUpToDate(engine, outer, ownerOf(caller), () => attemptOuter(engine, outer, caller, work));
}

/** A read transaction that goes by documents as the source of truth has them. */
export async function readArtifacts<T>(
  engine: Engine,
  caller: Caller,
  work: (tables: Tables) => Promise<T>,
): Promise<T> {
  const { outer } = engine;
  if (outer === null) return engine.store.read(scopeOf(caller), work);
  const owner = ownerOf(caller);
  return untilUpToDate(engine, outer, owner, async () => {
    const { result, trace } = await confirmingRefusals(outer, owner, (follow) =>
      engine.store.read(scopeOf(caller), async (tables) => {
        const trace = follow(new ArtifactTrace(tables));
        return { result: await work(trace.tables), trace };
      }),
    );
    await confirmSeen(outer.store, owner, trace.seen);
    return result;
  });
}

async function untilUpToDate<T>(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; tries <= maxTries; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      await catchUp(engine, outer, owner, error.keys);
    }
  }
  throw new Problem('UNAVAILABLE', 'The artifacts keep changing. Try again shortly.', { retryAfterSeconds: 1 });
}
