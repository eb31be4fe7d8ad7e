import { copyNoted } from '../engine/outer/copy-chain.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

const chainsAtATime = 1000;

export const copyAuditJob: Job = {
  name: 'copy-audit',
  summary: 'Copies audit records to the outer store that a process which ended abruptly has left.',
  everySeconds: 600,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 10 },
  async run({ engine }, payload) {
    readPayload(payload, {});
    const { outer } = engine;
    if (outer === null) return { chains: 0 };
    const owners = await engine.store.uncopiedChains(chainsAtATime);
    for (const owner of owners) outer.noteUncopied(owner);
    await copyNoted(engine, outer);
    return { chains: owners.length };
  },
};
