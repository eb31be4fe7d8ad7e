import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { type RequestOptions, request } from 'node:https';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../../ports/webhook-sender.js';
import { isPublicAddress } from './public-addresses.js';

interface HttpsWebhookSenderOptions {
  /** Addresses that may be reached although they are not public. */
  allowed: BlockList;
  timeoutMs?: number;
}

const refusedAddress = 'EADDRESSREFUSED';
const refusal =
  'was not asked: its address is private, local or reserved, and MEMHALL_WEBHOOK_NETWORKS does not allow it';

/**
 * Sends with Node's own client. Addresses are checked when a connection is opened, after the name was looked up, so a name cannot lead
 * elsewhere later. Connections are not reused.
 */
export class HttpsWebhookSender implements WebhookSender {
  readonly #allowed: BlockList;
  readonly #timeoutMs: number;

  constructor({ allowed, timeoutMs = 10_000 }: HttpsWebhookSenderOptions) {
    this.#allowed = allowed;
    this.#timeoutMs = timeoutMs;
  }

  async send({ url, headers, body }: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome> {
    const startedMs = performance.now();
    const end = (outcome: Pick<WebhookOutcome, 'status' | 'fault'>) => ({
      ...outcome,
      durationMs: Math.round(performance.now() - startedMs),
    });
    const { hostname } = new URL(url);
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !this.#mayReach(literal)) return end({ status: null, fault: refusal });
    const ending = new AbortController();
    const stop = () => ending.abort();
    const timer = setTimeout(stop, this.#timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const status = await exchange(url, body, {
        ...{ method: 'POST', agent: false, signal: ending.signal, lookup: this.#lookUp },
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      });
      return end({ status, fault: faultOf(status) });
    } catch (error) {
      signal.throwIfAborted();
      if (ending.signal.aborted) return end({ status: null, fault: `did not respond within ${this.#timeoutMs} ms` });
      const code = codeOf(error);
      return end({ status: null, fault: code === refusedAddress ? refusal : `cannot be reached (${code})` });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  readonly #lookUp: LookupFunction = (hostname, options, done) => {
    const all: LookupAllOptions = { ...options, all: true };
    lookup(hostname, all, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, '', 4);
      const [first, ...others] = found.filter(({ address }) => this.#mayReach(address));
      if (first === undefined) return done(Object.assign(new Error(refusal), { code: refusedAddress }), '', 4);
      if (options.all) return done(null, [first, ...others]);
      done(null, first.address, first.family);
    });
  };

  #mayReach(address: string): boolean {
    return isPublicAddress(address) || this.#allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Returns the status. The body of the response is not read. */
function exchange(url: string, body: string, options: RequestOptions): Promise<number> {
  return new Promise((done, fail) => {
    const sent = request(url, options, (response) => {
      done(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const isRedirect = status >= 300 && status < 400;
  return `responded with status ${status}${isRedirect ? '; redirects are not followed' : ''}`;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'connection failed';
}
