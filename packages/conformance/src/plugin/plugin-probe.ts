import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensure, show } from '../expectation.js';
import type { Call, PluginCaller, PluginResponse } from './plugin-caller.js';

export type Json = { [name: string]: unknown };

/** A memory as returned by the plugin, not verified yet. */
export type FoundMemory = Json & { id?: unknown; content?: unknown; namespace?: unknown };

const cleanUpMs = 5000;

/** The probe of a case: calls to the plugin and namespaces that only this case uses. */
export class PluginProbe {
  readonly capabilities: readonly string[];
  readonly #caller: PluginCaller;
  readonly #signal: AbortSignal;
  readonly #embeddingLength: () => Promise<number>;
  readonly #names = new Set<string>();

  constructor(
    caller: PluginCaller,
    capabilities: readonly string[],
    signal: AbortSignal,
    embeddingLength: () => Promise<number>,
  ) {
    this.#caller = caller;
    this.#signal = signal;
    this.#embeddingLength = embeddingLength;
    this.capabilities = capabilities;
  }

  has(capability: string): boolean {
    return this.capabilities.includes(capability);
  }

  call(call: Call): Promise<PluginResponse> {
    return this.#caller.call(call, this.#signal);
  }

  /** Returns a unique name. The namespace is deleted after the case. */
  newName(ending = ''): string {
    return this.own(`custom:conformance.${randomUUID()}${ending}`);
  }

  /** Registers a name, so that the namespace is deleted after the case. */
  own(name: string): string {
    this.#names.add(name);
    return name;
  }

  putNamespace(name: string, body: unknown = { kind: 'custom' }): Promise<PluginResponse> {
    return this.call({ method: 'PUT', path: namespacePath(name), body });
  }

  patchNamespace(name: string, body: unknown): Promise<PluginResponse> {
    return this.call({ method: 'PATCH', path: namespacePath(name), body });
  }

  deleteNamespace(name: string): Promise<PluginResponse> {
    return this.call({ method: 'DELETE', path: namespacePath(name) });
  }

  async newNamespace(fields: Json = {}, name = this.newName()): Promise<string> {
    expectStatus(await this.putNamespace(name, { kind: 'custom', ...fields }), 200);
    return name;
  }

  /** Writes a memory with defaults for the required fields. */
  write(name: string, fields: Json): Promise<PluginResponse> {
    return this.call({
      method: 'POST',
      path: `${namespacePath(name)}/memories`,
      body: { content: 'A memory.', kind: 'fact', source: 'agent', ...fields },
    });
  }

  /** Writes a memory and returns its id. Throws if the write fails. */
  async remember(name: string, fields: Json | string): Promise<string> {
    const response = await this.write(name, typeof fields === 'string' ? { content: fields } : fields);
    expectStatus(response, 201);
    const { id } = asObject(response.body);
    ensure(typeof id === 'string', `${response.call} returned no id: ${show(response.text)}`);
    return id;
  }

  /** Writes memories one after the other, far enough apart that their times differ, and returns the ids. */
  async rememberInTurn(name: string, memories: readonly (Json | string)[]): Promise<string[]> {
    const ids: string[] = [];
    for (const memory of memories) {
      ids.push(await this.remember(name, memory));
      await this.wait(10);
    }
    return ids;
  }

  /** Writes memories in small concurrent batches, in no particular order. */
  async rememberMany(name: string, contents: readonly string[]): Promise<void> {
    for (let at = 0; at < contents.length; at += 10) {
      await Promise.all(contents.slice(at, at + 10).map((content) => this.remember(name, content)));
    }
  }

  searchRaw(body: unknown): Promise<PluginResponse> {
    return this.call({ method: 'POST', path: '/v1/search', body });
  }

  /** Searches and returns the memories. Throws if the search fails. */
  async search(body: Json): Promise<FoundMemory[]> {
    return memoriesOf(await this.searchRaw(body));
  }

  forget(id: string, name: string): Promise<PluginResponse> {
    return this.call({ method: 'DELETE', path: `/v1/memories/${id}`, body: { requested_by_namespace: name } });
  }

  async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#signal });
  }

  /** Returns a vector of the length that the plugin accepts: the given numbers, followed by zeros. */
  async vector(...numbers: number[]): Promise<number[]> {
    const length = await this.#embeddingLength();
    return [...numbers, ...new Array<number>(Math.max(0, length - numbers.length)).fill(0)];
  }

  /** Deletes the namespaces of the case. Returns the names of those that could not be deleted. */
  async release(): Promise<string[]> {
    const removed = await Promise.all(
      [...this.#names].map(async (name) => {
        try {
          const { status } = await this.#caller.call(
            { method: 'DELETE', path: namespacePath(name) },
            AbortSignal.timeout(cleanUpMs),
          );
          return status === 204 || status === 404 || status === 400 ? [] : [name];
        } catch {
          return [name];
        }
      }),
    );
    return removed.flat();
  }
}

export function namespacePath(name: string): string {
  return `/v1/namespaces/${encodeURIComponent(name)}`;
}

export function memoriesOf(response: PluginResponse): FoundMemory[] {
  expectStatus(response, 200);
  const { memories } = asObject(response.body);
  ensure(Array.isArray(memories), `${response.call} returned no list of memories: ${show(response.text)}`);
  return memories.map(asObject);
}

export function expectStatus(response: PluginResponse, ...statuses: number[]): void {
  ensure(
    statuses.includes(response.status),
    `${response.call} returned ${response.status} instead of ${statuses.join(' or ')}: ${show(response.text)}`,
  );
}

/** Returns the value if it is an object, or else an empty object. */
export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function contentsOf(memories: readonly FoundMemory[]): unknown[] {
  return memories.map(({ content }) => content);
}

export function idsOf(memories: readonly FoundMemory[]): unknown[] {
  return memories.map(({ id }) => id);
}
