import { describe, expect, it } from 'vitest';
import { explainLatency, type LatencyFacts } from './explain-latency.js';

const well: LatencyFacts = {
  ...{ recallMs: 20, recallBeforeMs: 20, objectiveMs: 150, stalls: [], isShedding: false, waitingForConnection: 0 },
  stages: [
    { stage: 'load', nowMs: 2, beforeMs: 2 },
    { stage: 'embed', nowMs: 8, beforeMs: 8 },
    { stage: 'match', nowMs: 1, beforeMs: 1 },
    { stage: 'fetch', nowMs: 1, beforeMs: 1 },
  ],
};
const withEmbed = (nowMs: number) => well.stages.map((one) => (one.stage === 'embed' ? { ...one, nowMs } : one));

describe('why recall is slow', () => {
  it('says nothing while it is not', () => {
    expect(explainLatency(well)).toEqual([]);
    expect(explainLatency({ ...well, recallMs: null, recallBeforeMs: null, stages: [] })).toEqual([]);
  });

  it('names the part that takes the time, what it was before, and what to look at', () => {
    const [first, ...others] = explainLatency({ ...well, recallMs: 480, stages: withEmbed(450) });
    expect(first).toMatchObject({ kind: 'stage', about: 'embed' });
    expect(first?.message).toMatch(/^Embedding the question takes 450 ms of the 454 ms of a recall\. Earlier.*8\.0 ms/);
    expect(others).toEqual([]);
  });

  it('counts as slow what is within the objective but takes much longer than before', () => {
    expect(explainLatency({ ...well, recallMs: 70, stages: withEmbed(60) })).toHaveLength(1);
    expect(explainLatency({ ...well, recallMs: 25, stages: withEmbed(12) })).toEqual([]);
  });

  it('puts what holds up everything before the parts of recall', () => {
    const found = explainLatency({
      ...{ ...well, recallMs: 900, stages: withEmbed(800), isShedding: true, waitingForConnection: 3 },
      stalls: [
        { operation: 'memory.export', delayMs: 120 },
        { operation: 'documents.patch', delayMs: 700 },
      ],
    });
    expect(found.map(({ kind, about }) => `${kind} ${about}`)).toEqual([
      'overload several',
      'connections database',
      'stall documents.patch',
      'stage embed',
    ]);
    expect(found[2]?.message).toContain('2 times, the longest for 700 ms');
  });

  it('says it in words if no single request held up the others', () => {
    const [found] = explainLatency({ ...well, stalls: [{ operation: 'none', delayMs: 120 }] });
    expect(found?.message).toMatch(/120 ms: while no request was served\.$/);
  });
});
