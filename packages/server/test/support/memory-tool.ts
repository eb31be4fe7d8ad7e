import { uuidv7 } from '@memhall/core';
import { expect } from 'vitest';
import type { TokenRequest } from '../../src/cli/sign-token.js';
import type { Answer, TestServer } from './server.js';

/** The files of a user, or of one of the user's agents. */
export class MemoryTool {
  readonly #server: TestServer;
  readonly #agent: string | undefined;

  private constructor(
    server: TestServer,
    readonly tenant: string,
    readonly user: string,
    readonly token: string,
    agent?: string,
  ) {
    this.#server = server;
    this.#agent = agent;
  }

  /** Creates a user that no other test uses, unless named. */
  static async of(server: TestServer, request: Partial<TokenRequest> = {}): Promise<MemoryTool> {
    const whole = { tenant: 't1', user: `files-${uuidv7()}`, ...request };
    return new MemoryTool(server, whole.tenant, whole.user, await server.token(whole));
  }

  /** Returns the files of an agent of the same user, named in each call. */
  ofAgent(agent: string): MemoryTool {
    return new MemoryTool(this.#server, this.tenant, this.user, this.token, agent);
  }

  call(body: object, headers: Record<string, string> = {}): Promise<Answer> {
    const agent = this.#agent === undefined ? {} : { agent_id: this.#agent };
    const { token } = this;
    return this.#server.call({ method: 'POST', path: '/v1/memory-tool', body: { ...body, ...agent }, headers, token });
  }

  async run(body: object): Promise<{ content: string; is_error: boolean }> {
    const answer = await this.call(body);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    return answer.body;
  }

  /** Returns the result of a command that must succeed. */
  async done(body: object): Promise<string> {
    const { content, is_error } = await this.run(body);
    expect({ content, is_error }).toEqual({ content, is_error: false });
    return content;
  }

  /** Returns the text of a command that must fail. */
  async refused(body: object): Promise<string> {
    const { content, is_error } = await this.run(body);
    expect({ content, is_error }).toEqual({ content, is_error: true });
    return content;
  }

  create(path: string, text: string): Promise<string> {
    return this.done({ command: 'create', path: `/memories/${path}`, file_text: text });
  }

  /** Returns the text of a file, or null if there is none. */
  async text(path: string): Promise<string | null> {
    const { content, is_error } = await this.run({ command: 'view', path: `/memories/${path}` });
    if (is_error) return null;
    const [, ...lines] = content.split('\n');
    return lines.map((line) => line.slice('     1\t'.length)).join('\n');
  }

  async recall(query: string, more: object = {}): Promise<Answer['body'][]> {
    const body = { query, ...more };
    const answer = await this.#server.call({ method: 'POST', path: '/v1/recall', body, token: this.token });
    expect(answer.status).toBe(200);
    return answer.body.results;
  }
}
