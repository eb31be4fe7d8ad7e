import type { SignedHead } from '@memhall/core';

/** Keeps signed heads where the owner of the database cannot change them. */
export interface HeadWitness {
  /** Safe to show: contains no credentials. */
  readonly address: string;
  /**
   * Resolves once the head is stored durably. Idempotent: a head may be sent again if the response was lost. Rejects with
   * WitnessError, soon after the signal aborts as well.
   */
  send(head: SignedHead, signal: AbortSignal): Promise<void>;
}

/** The message may be shown: it contains no credentials and no text of a response. */
export class WitnessError extends Error {
  override readonly name = 'WitnessError';
}
