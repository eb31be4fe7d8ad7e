import { copyNoted } from '../engine/outer/copy-chain.js';
import type { Job } from './job.js';

const chainsAtATime = 1000;

export const copyAuditJob: Job = {
  name: 'copy-audit',
  summary: 'Copies audit records to the outer store that artifacts live in, where there is one.',
  everySeconds: 10,
  concurrency: 1,
  retry: { attempts: 2, firstPauseSeconds: 5 },
  async run({ engine }) {
    const { outer } = engine;
    if (outer === null) return {};
    const behind = await engine.store.uncopiedChains(chainsAtATime);
    for (const owner of behind) outer.noteUncopied(owner);
    await copyNoted(engine, outer);
    return { chains: behind.length };
  },
};
