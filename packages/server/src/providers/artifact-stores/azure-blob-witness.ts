import type { ContainerClient } from '@azure/storage-blob';
import { Problem, type SignedHead } from '@memhall/core';
import { type HeadWitness, WitnessError } from '../../ports/head-witness.js';
import { isConditionFailure, isContainerMissing, isRefusal, toStoreError } from './azure-blob-faults.js';
import { encodePart } from './blob-names.js';

const sizeDigits = 16;
const timeoutMs = 15_000;

/** Stores each head as a blob of its own and never replaces one, so a key that may only create blobs is enough. */
export class AzureBlobWitness implements HeadWitness {
  readonly address: string;
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
    const { host, pathname } = new URL(container.url);
    this.address = `${host}${pathname}`;
  }

  async send(head: SignedHead, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    try {
      await this.#upload(head).catch(async (error: unknown) => {
        if (!isContainerMissing(error)) throw error;
        await this.#container.createIfNotExists({ abortSignal: AbortSignal.timeout(timeoutMs) });
        await this.#upload(head);
      });
    } catch (error) {
      // The blob has the name of this head, so it is this head.
      if (!isConditionFailure(error)) throw this.#toWitnessError(error);
    }
  }

  async #upload(head: SignedHead): Promise<void> {
    const text = JSON.stringify(head);
    await this.#container.getBlockBlobClient(toName(head)).upload(text, Buffer.byteLength(text), {
      abortSignal: AbortSignal.timeout(timeoutMs),
      conditions: { ifNoneMatch: '*' },
      blobHTTPHeaders: { blobContentType: 'application/json' },
    });
  }

  #toWitnessError(error: unknown): unknown {
    if (isRefusal(error))
      return new WitnessError(`${this.address} denies access: check the secret of the audit witness.`);
    const known = toStoreError(error);
    return known instanceof Problem ? new WitnessError(`${this.address} is not available right now.`) : known;
  }
}

/** Two different heads of one size get two names: both are kept, and show that the log was rewritten. */
function toName({ tenant, log, size, root }: SignedHead): string {
  const number = `${size}`.padStart(sizeDigits, '0');
  return `audit-heads/${encodePart(tenant)}/${encodePart(log)}/${number}-${root.slice(0, sizeDigits)}.json`;
}
