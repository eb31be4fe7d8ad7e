import { Problem } from '@memhall/core';
import type { Configuration, ServerMetadata } from 'openid-client';
import { isLoopbackName } from '../loopback.js';
import { fetchFromIssuer } from './fetch-json.js';

interface CodeFlowOptions {
  issuer: string;
  clientId: string;
  /** Absent: a public client, which proves itself with PKCE alone. */
  clientSecret: string | undefined;
  scope: string;
  /** The `resource` that issuers of RFC 8707 need to issue a token for this server. */
  resource: string | undefined;
  onFault(error: unknown, doing: string): void;
}

/** What the browser keeps between the two halves of a sign-in, out of the reach of scripts. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

/** The metadata of an issuer is asked for again after this time. */
const keptMs = 3_600_000;

/**
 * Signs people in at an issuer: authorization code with PKCE, and nothing kept here between the two halves, so that any process can
 * finish what another began. The library is loaded when somebody signs in for the first time.
 */
export class CodeFlow {
  readonly issuer: string;
  readonly #options: CodeFlowOptions;
  #found: { configuration: Promise<Configuration>; untilMs: number } | undefined;

  constructor(options: CodeFlowOptions) {
    this.issuer = options.issuer;
    this.#options = options;
  }

  /** Returns where to send the browser. Throws UNAVAILABLE if the issuer cannot be asked. */
  async begin(redirectUri: string): Promise<{ url: URL; pending: PendingSignIn }> {
    const client = await import('openid-client');
    const configuration = await this.#discover();
    const verifier = client.randomPKCECodeVerifier();
    const pending = { state: client.randomState(), nonce: client.randomNonce(), verifier };
    const { scope, resource } = this.#options;
    const url = client.buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: redirectUri, scope, state: pending.state, code_challenge_method: 'S256' },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      ...(isOpenId(scope) && { nonce: pending.nonce }),
      ...(resource !== undefined && { resource }),
    });
    return { url, pending };
  }

  /**
   * Exchanges what the issuer sent the browser back with. Returns the tokens that may be meant for this server, the best first. Throws
   * UNAUTHENTICATED if the issuer or the checks refuse, or UNAVAILABLE.
   */
  async finish(callback: URL, { state, nonce, verifier }: PendingSignIn): Promise<string[]> {
    const client = await import('openid-client');
    const configuration = await this.#discover();
    const { scope, resource } = this.#options;
    try {
      const answer = await client.authorizationCodeGrant(
        configuration,
        callback,
        {
          ...{ expectedState: state, pkceCodeVerifier: verifier },
          ...(isOpenId(scope) && { expectedNonce: nonce, idTokenExpected: true }),
        },
        resource === undefined ? {} : { resource },
      );
      return [answer.access_token, ...(answer.id_token === undefined ? [] : [answer.id_token])];
    } catch (error) {
      throw this.#toProblem(error);
    }
  }

  #discover(): Promise<Configuration> {
    if (this.#found !== undefined && Date.now() < this.#found.untilMs) return this.#found.configuration;
    const configuration = this.#ask().catch((error) => {
      this.#found = undefined;
      throw this.#unavailable(error);
    });
    this.#found = { configuration, untilMs: Date.now() + keptMs };
    return configuration;
  }

  async #ask(): Promise<Configuration> {
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.#options;
    const isPlain = new URL(issuer).protocol === 'http:' && isLoopbackName(new URL(issuer).host);
    const found = await client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
      {
        // The types of undici and of the platform differ in the kinds of a body.
        [client.customFetch]: (url, options) => fetchFromIssuer(url, options as RequestInit),
        ...(isPlain && { execute: [client.allowInsecureRequests] }),
      },
    );
    checkIssuer(found.serverMetadata(), issuer);
    return found;
  }

  #toProblem(error: unknown): Problem {
    const { code, error: refusal } = error as { code?: unknown; error?: unknown };
    if (typeof refusal === 'string' && /^[a-z_]{1,64}$/.test(refusal)) {
      return new Problem('UNAUTHENTICATED', `The issuer did not sign you in: ${refusal}. Try again.`, { cause: error });
    }
    if (typeof code === 'string' && code.startsWith('OAUTH_') && code !== 'OAUTH_TIMEOUT') {
      const message = 'What the issuer sent back does not belong to this sign-in. Try again.';
      return new Problem('UNAUTHENTICATED', message, { cause: error });
    }
    return this.#unavailable(error);
  }

  #unavailable(error: unknown): Problem {
    this.#options.onFault(error, `signing in at ${this.issuer}`);
    const message = 'The issuer cannot be reached right now. Try again shortly, or paste a token.';
    return new Problem('UNAVAILABLE', message, { retryAfterSeconds: 5, cause: error });
  }
}

function isOpenId(scope: string): boolean {
  return scope.split(' ').includes('openid');
}

/** A multi-tenant issuer may publish a template in its place, which would accept anybody. */
function checkIssuer({ issuer }: ServerMetadata, wanted: string): void {
  if (issuer !== wanted)
    throw new Error(`its metadata names the issuer ${JSON.stringify(issuer)}: configure exactly that`);
}
