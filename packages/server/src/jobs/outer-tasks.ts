import type { Engine } from '../engine/engine.js';
import { copyNoted } from '../engine/outer/copy-chain.js';
import type { BackgroundWork } from './background-work.js';

const copyEveryMs = 5000;
const sweepEveryMs = 10 * 60_000;
const chainsAtATime = 1000;

/** Copies audit records to the outer store, where there is one. Answers how to copy what is left at the end. */
export function startOuterTasks(background: BackgroundWork, engine: Engine): () => Promise<void> {
  const { outer } = engine;
  if (outer === null) return async () => undefined;
  background.start({ name: 'copy audit records', everyMs: copyEveryMs, run: () => copyNoted(engine, outer) });
  background.start({
    name: 'look for audit records that were not copied',
    everyMs: sweepEveryMs,
    async run() {
      // A node that ended abruptly has taken with it what it had noted.
      for (const owner of await engine.store.uncopiedChains(chainsAtATime)) outer.noteUncopied(owner);
      background.wake('copy audit records');
    },
  });
  background.wake('look for audit records that were not copied');
  return () => copyNoted(engine, outer).catch((error) => engine.onFault(error, 'copy audit records'));
}
