import type { Engine } from '../engine.js';

/** Health checks must take less than a second. The rest is left for the network. */
const deadlineMs = 800;

interface TierHealth {
  /** undefined if tiers can be used. */
  fault: string | undefined;
  checkedAt: Date;
}

/** Checks whether tiers can be read and written. A health check must never wait on a hung store. */
export async function checkTiers({ store, clock }: Engine): Promise<TierHealth> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    timer = setTimeout(() => done('health check timeout'), deadlineMs);
  });
  const pinged = store.ping().then(
    () => undefined,
    () => 'the store does not respond',
  );
  const fault = await Promise.race([pinged, late]);
  clearTimeout(timer);
  return { fault, checkedAt: clock.now() };
}
