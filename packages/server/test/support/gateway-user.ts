import { uuidv7 } from '@memhall/core';
import { expect } from 'vitest';
import type { Answer, TestServer } from './server.js';

export interface SentMessage {
  id?: string;
  sender_id?: string;
  role?: string;
  timestamp?: number;
  content: unknown;
}

/** A user of the gateway with its own key. */
export class GatewayUser {
  readonly #server: TestServer;
  /** Each message gets a later time unless the call sets one. */
  #clock = 1_780_000_000_000;

  private constructor(
    server: TestServer,
    readonly tenant: string,
    readonly user: string,
    readonly key: string,
  ) {
    this.#server = server;
  }

  /** Creates a user that no other test uses, unless named. */
  static async of(server: TestServer, { tenant = 't1', user = `g-${uuidv7()}` } = {}): Promise<GatewayUser> {
    const token = await server.token({ tenant, user: 'boss', roles: ['admin'] });
    const { status, body } = await server.call({ method: 'POST', path: '/users', body: { user_id: user }, token });
    expect({ status, body }).toMatchObject({ status: 200, body: { user_key: expect.any(String) } });
    return new GatewayUser(server, tenant, user, body.user_key);
  }

  get identity() {
    return { user_id: this.user, user_key: this.key };
  }

  /** Sends the user key instead of a token; undefined removes a member. */
  post(path: string, body: Record<string, unknown> = {}): Promise<Answer> {
    return this.#server.call({ method: 'POST', path, body: { ...this.identity, ...body }, token: '' });
  }

  add(conversation: string, messages: SentMessage[], more: Record<string, unknown> = {}): Promise<Answer> {
    const whole = messages.map((message) => ({
      sender_id: this.user,
      role: 'user',
      timestamp: this.#nextMoment(),
      ...message,
    }));
    return this.post('/memories/add', { session_id: `chat:${conversation}`, messages: whole, ...more });
  }

  #nextMoment(): number {
    this.#clock += 1000;
    return this.#clock;
  }

  async say(conversation: string, ...texts: string[]): Promise<void> {
    const answer = await this.add(
      conversation,
      texts.map((content) => ({ content })),
    );
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { message_count: texts.length, status: 'accumulated' },
    });
  }

  /** Uploads the text as a file in a form. */
  async upload(content: string): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(this.identity)) form.append(name, value);
    form.append('file', new Blob([content]), 'note.txt');
    const response = await fetch(`${this.#server.url}/resources`, { method: 'POST', body: form });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  flush(conversation: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('/memories/flush', { session_id: `chat:${conversation}`, ...more });
  }

  search(query: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('/memories/search', { query, ...more });
  }

  /** Returns the results of a search that must succeed. */
  async found(query: string, more: Record<string, unknown> = {}): Promise<Answer['body'][]> {
    const { status, body } = await this.search(query, more);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.results;
  }

  async texts(query: string, more: Record<string, unknown> = {}): Promise<string[]> {
    return (await this.found(query, more)).map(({ text }) => text);
  }
}
