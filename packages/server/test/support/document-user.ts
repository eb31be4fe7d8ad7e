import { uuidv7 } from '@memhall/core';
import { expect } from 'vitest';
import type { TokenRequest } from '../../src/cli/sign-token.js';
import { starterProfile } from './documents.js';
import type { Answer, TestServer } from './server.js';

/** Namespace and path, such as `projects/alpha.json`. The path is everything after the first slash. */
export type Place = string;

export const dynamic: Place = 'user/user_dynamic.json';
export const fixed: Place = 'user/user_static.json';
export const project: Place = 'projects/alpha.json';

const starterBindings: Record<Place, string> = { [dynamic]: 'user_dynamic', [fixed]: 'user_static' };

export interface Sending {
  /** Members of the body other than the ops or the document; undefined removes a member. */
  body?: Record<string, unknown>;
  /** undefined removes a header. */
  headers?: Record<string, string | undefined>;
  token?: string;
}

/** A user of the documents surface, with a default token that a call can override. */
export class DocumentUser {
  readonly #server: TestServer;
  readonly #token: string;

  private constructor(
    server: TestServer,
    readonly tenant: string,
    readonly user: string,
    token: string,
  ) {
    this.#server = server;
    this.#token = token;
  }

  /** Creates a user that no other test uses, unless named. */
  static async of(server: TestServer, request: Partial<TokenRequest> = {}): Promise<DocumentUser> {
    const whole = { tenant: 't1', user: `u-${uuidv7()}`, ...request };
    return new DocumentUser(server, whole.tenant, whole.user, await server.token(whole));
  }

  /** Returns a token for the same user. */
  token(request: Partial<TokenRequest>): Promise<string> {
    return this.#server.token({ tenant: this.tenant, user: this.user, ...request });
  }

  pathOf(place: Place, tail = ''): string {
    const slash = place.indexOf('/');
    const namespace = place.slice(0, slash);
    return `${this.pathOfAll()}/${namespace}/${encodeURIComponent(place.slice(slash + 1))}${tail}`;
  }

  pathOfAll(tail = ''): string {
    return `/v1/tenants/${this.tenant}/users/${this.user}/documents${tail}`;
  }

  get(place: Place, { tail = '', headers = {}, token }: Sending & { tail?: string } = {}): Promise<Answer> {
    return this.#call({ method: 'GET', path: this.pathOf(place, tail), headers: defined(headers), token });
  }

  list(query = ''): Promise<Answer> {
    return this.#call({ method: 'GET', path: this.pathOfAll(query), headers: {}, token: undefined });
  }

  /** Sends If-Match: * and a new idempotency key by default. */
  patch(place: Place, ops: unknown, sending: Sending = {}): Promise<Answer> {
    return this.#write('PATCH', place, { ops }, sending);
  }

  put(place: Place, content: unknown, sending: Sending = {}): Promise<Answer> {
    return this.#write('PUT', place, { document: { content } }, sending);
  }

  /** Returns the response body of a patch that must succeed. */
  async patched(place: Place, ops: unknown, sending: Sending = {}): Promise<Answer['body']> {
    const { status, body } = await this.patch(place, ops, sending);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  }

  async content(place: Place): Promise<Answer['body']> {
    return (await this.get(place)).body.document.content;
  }

  async versions(place: Place): Promise<Answer['body'][]> {
    return (await this.get(place, { tail: '/history?limit=100' })).body.versions;
  }

  #write(method: string, place: Place, own: object, { body, headers, token }: Sending): Promise<Answer> {
    const whole = {
      profile_id: starterProfile,
      binding_id: starterBindings[place] ?? 'project_doc',
      reason: 'live_update',
      ...own,
      ...body,
    };
    const conditional = { 'if-match': '*', 'idempotency-key': uuidv7(), ...headers };
    return this.#call({
      method,
      path: this.pathOf(place),
      body: defined(whole),
      headers: defined(conditional) as Record<string, string>,
      token,
    });
  }

  #call(call: { method: string; path: string; body?: unknown; headers: object; token: string | undefined }) {
    const { token = this.#token, headers, ...rest } = call;
    return this.#server.call({ ...rest, headers: headers as Record<string, string>, token });
  }
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Returns a valid durable fact or pending confirmation of the starter profile. */
export function fact(text: string, more: Record<string, unknown> = {}) {
  const evidence = { message_ids: ['m1'] };
  return { text, confidence: 0.9, evidence, last_verified_at: '2026-01-01T00:00:00.000Z', ...more };
}

/** Registers a profile, and the schemas it names, for a tenant. */
export async function register(
  server: TestServer,
  tenant: string,
  profileId: string,
  profile: object,
  schemas: Record<string, unknown> = {},
): Promise<void> {
  const token = await server.token({ tenant, user: 'operator', roles: ['admin'] });
  const put = async (path: string, body: unknown) => {
    const answer = await server.call({ method: 'PUT', path: `/v1/tenants/${tenant}/${path}`, body, token });
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status: expect.closeTo(200, -1) });
  };
  for (const [name, schema] of Object.entries(schemas)) await put(`schemas/${name}`, { schema });
  await put(`profiles/${profileId}`, profile);
}
