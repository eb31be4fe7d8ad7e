import type { SignedHead } from '@memhall/core';
import { type HeadWitness, WitnessError } from '../../ports/head-witness.js';
import { ServiceEndpoint } from '../service-endpoint.js';

interface HttpWitnessOptions {
  url: string;
  /** Sent as a bearer token. */
  token?: string | undefined;
  timeoutMs?: number | undefined;
}

const maxAnswerBytes = 64 * 1024;

/** Posts each head as JSON. Any successful status confirms it. */
export class HttpWitness implements HeadWitness {
  readonly #endpoint: ServiceEndpoint;

  constructor({ url, token, timeoutMs = 10_000 }: HttpWitnessOptions) {
    this.#endpoint = new ServiceEndpoint({
      ...{ service: 'audit witness', baseUrl: url, path: '', apiKey: token, timeoutMs, maxAnswerBytes },
      toError: ({ message }) => new WitnessError(`${message}.`),
    });
  }

  get address(): string {
    return this.#endpoint.address;
  }

  async send(head: SignedHead, signal: AbortSignal): Promise<void> {
    await this.#endpoint.post(JSON.stringify(head), signal);
  }
}
