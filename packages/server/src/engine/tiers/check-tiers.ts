import type { Engine } from '../engine.js';

/** Leaves the rest of a second to the network. */
const deadlineMs = 800;

export interface TierHealth {
  /** undefined: all is well. */
  fault: string | undefined;
  checkedAt: Date;
}

/** Whether tiers can be read and written. Answers in time whatever the store does. */
export async function checkTiers({ store, outer, clock }: Engine): Promise<TierHealth> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    timer = setTimeout(() => done('health check timeout'), deadlineMs);
  });
  const answered = Promise.all([store.ping(), outer?.store.identity()]).then(
    () => undefined,
    () => 'the store does not answer',
  );
  const fault = await Promise.race([answered, late]);
  clearTimeout(timer);
  return { fault, checkedAt: clock.now() };
}
