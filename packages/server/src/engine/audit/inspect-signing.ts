import type { HeadWitness } from '../../ports/head-witness.js';
import type { SigningState } from '../../ports/signed-log.js';
import type { Engine } from '../engine.js';

/** Returns how far signing and the witness are behind. Without a witness, nothing waits for it. */
export async function inspectSigning({
  engine,
  signing: { witness },
}: {
  engine: Pick<Engine, 'store'>;
  signing: { witness: HeadWitness | null };
}): Promise<SigningState & { witness: string | null }> {
  const state = await engine.store.signingState();
  if (witness === null) return { ...state, witness: null, waitingHeads: 0, waitingSince: null };
  return { ...state, witness: witness.address };
}
