import type { SignedHead } from '@memhall/core';
import type { HeadWitness } from '../../ports/head-witness.js';
import type { Engine } from '../engine.js';
import { maintainTenant } from './maintain.js';

const headsAtATime = 100;

/**
 * Sends the heads of a tenant that the witness lacks, oldest first. Throws WitnessError if it does not accept one; the rest waits for
 * the next time. `fresh` is sent even if the database says that it was: the database is what the witness guards against.
 */
export async function sendHeads(
  engine: Pick<Engine, 'store' | 'clock'>,
  witness: HeadWitness,
  tenantId: string,
  { fresh, signal }: { fresh?: SignedHead | undefined; signal: AbortSignal },
): Promise<number> {
  const send = async (head: SignedHead) => {
    signal.throwIfAborted();
    await witness.send(head, signal);
    await maintainTenant(engine, tenantId, async ({ signedLog }) => signedLog.confirm(head, engine.clock.now()));
  };
  if (fresh !== undefined) await send(fresh);
  for (let sent = fresh === undefined ? 0 : 1; ; ) {
    const waiting = await engine.store.inspect(tenantId, ({ signedLog }) => signedLog.waitingHeads(headsAtATime));
    for (const head of waiting) await send(head);
    sent += waiting.length;
    if (waiting.length < headsAtATime) return sent;
  }
}
