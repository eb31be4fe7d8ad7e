import { randomUUID } from 'node:crypto';
import { ensure, show } from '../expectation.js';
import type { Owner, ProviderModule, ProviderUnderTest } from './provider-target.js';

export type Fields = Record<string, unknown>;

export interface Hit {
  source: string;
  snippet: string;
  line?: unknown;
  score?: unknown;
}

export interface Failure {
  name: string;
  code: unknown;
  message: string;
  details: Fields;
}

const cleanUpMs = 5000;

export function newOwner(workspaceId: string | undefined): Owner {
  const id = randomUUID();
  return { workspaceId: workspaceId ?? `conformance-${id}`, agentId: `agent-${id}`, crewId: `crew-${id}` };
}

/** What a case works with: owners of its own, and calls as them. */
export class ProviderProbe {
  readonly owner: Owner;
  readonly capabilities: readonly string[];
  readonly #module: ProviderModule;
  readonly #workspaceId: string | undefined;
  readonly #signal: AbortSignal;
  readonly #providers = new Map<string, Promise<ProviderUnderTest>>();
  readonly #kept = new Map<string, { owner: Owner; id: string }>();
  readonly #owners: Owner[] = [];

  constructor(
    module: ProviderModule,
    capabilities: readonly string[],
    workspaceId: string | undefined,
    signal: AbortSignal,
  ) {
    this.#module = module;
    this.capabilities = capabilities;
    this.#workspaceId = workspaceId;
    this.#signal = signal;
    this.owner = this.newOwner();
  }

  newOwner(): Owner {
    const owner = newOwner(this.#workspaceId);
    this.#owners.push(owner);
    return owner;
  }

  has(capability: string): boolean {
    return this.capabilities.includes(capability);
  }

  /** The same one again for an owner, unless another instance is asked for. */
  async provider(owner = this.owner, instance = 0): Promise<ProviderUnderTest> {
    const key = `${owner.agentId} ${instance}`;
    const made = this.#providers.get(key) ?? Promise.resolve(this.#module.createProvider(owner));
    this.#providers.set(key, made);
    return made;
  }

  /** Retains as the case's owner unless the fields say otherwise. */
  async retain(fields: Fields, { owner = this.owner, instance = 0, signal = this.#signal } = {}): Promise<Fields> {
    const provider = await this.provider(owner, instance);
    const result = asFields(await provider.retain({ ...owner, mode: 'append', ...fields }, signal), 'retain');
    if (typeof result.id === 'string') this.#kept.set(`${owner.agentId} ${result.id}`, { owner, id: result.id });
    return result;
  }

  async recall(fields: Fields, { owner = this.owner, instance = 0, signal = this.#signal } = {}): Promise<Fields> {
    const provider = await this.provider(owner, instance);
    return asFields(await provider.recall({ ...owner, ...fields }, signal), 'recall');
  }

  /** The hits of a recall, each looked at. */
  async find(query: string, fields: Fields = {}, options: { owner?: Owner; instance?: number } = {}): Promise<Hit[]> {
    return hitsOf(await this.recall({ query, ...fields }, options));
  }

  async forget(fields: Fields, { owner = this.owner, signal = this.#signal } = {}): Promise<Fields> {
    const provider = await this.provider(owner);
    return asFields(await provider.forget({ ...owner, ...fields }, signal), 'forget');
  }

  async health(): Promise<Fields> {
    return asFields(await (await this.provider()).health(this.#signal), 'health');
  }

  async read(fields: Fields, { owner = this.owner, signal = this.#signal } = {}): Promise<Fields> {
    const provider = await this.provider(owner);
    ensure(typeof provider.read === 'function', 'there is no method read');
    return asFields(await provider.read({ ...owner, ...fields }, signal), 'read');
  }

  /** What a text reads. */
  async textOf(fields: Fields, options: { owner?: Owner } = {}): Promise<string> {
    const { content } = await this.read(fields, options);
    ensure(typeof content === 'string', `what is read is ${show(content)} instead of a text`);
    return content;
  }

  /** How large a text is: what adding a line to it makes of it, without that line. */
  async sizeOf(fields: Fields): Promise<number> {
    const { bytes } = await this.retain({ ...fields, content: '.', mode: 'append' });
    return Math.max(0, Number(bytes) - 2);
  }

  async plant(label: string, text: string): Promise<void> {
    await this.#module.plant?.(this.owner, label, text);
    this.#kept.set(`${this.owner.agentId} ${label}`, { owner: this.owner, id: label });
  }

  /** Removes what the case has retained; answers what would not go. */
  async release(): Promise<string[]> {
    const signal = AbortSignal.timeout(cleanUpMs);
    const left = await Promise.all(
      [...this.#kept.values()].map(async ({ owner, id }) => {
        try {
          await this.forget({ id }, { owner, signal });
          return [];
        } catch {
          return [`${owner.agentId}/${id}`];
        }
      }),
    );
    for (const owner of this.#owners) await this.#module.removeOwner?.(owner);
    return left.flat();
  }
}

/** What a call fails with. */
export async function failureOf(what: string, call: Promise<unknown>): Promise<Failure> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  ensure(
    'error' in outcome,
    `${what} is answered with ${show('value' in outcome ? outcome.value : undefined)} instead of an error`,
  );
  const { name, code, message, details } = (outcome.error ?? {}) as Partial<Failure>;
  return { name: String(name), code, message: String(message), details: (details ?? {}) as Fields };
}

/** That a call is refused, as the caller's mistake, and with this code if one is given. */
export async function expectInvalid(what: string, call: Promise<unknown>, code?: string): Promise<Failure> {
  const failure = await failureOf(what, call);
  ensure(failure.name === 'ProviderInvalid', `${what} fails with ${failure.name} instead of ProviderInvalid`);
  if (code !== undefined)
    ensure(failure.code === code, `${what} has the code ${show(failure.code)} instead of ${code}`);
  return failure;
}

export function asFields(value: unknown, what: string): Fields {
  ensure(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} answers ${show(value)}`);
  return value as Fields;
}

export function hitsOf({ hits }: Fields): Hit[] {
  ensure(Array.isArray(hits), `hits is ${show(hits)} instead of a list`);
  for (const hit of hits) {
    const { source, snippet } = asFields(hit, 'a hit');
    ensure(
      typeof source === 'string' && typeof snippet === 'string',
      `a hit is ${show(hit)}: source and snippet are texts`,
    );
  }
  return hits as Hit[];
}

export function sourcesOf(hits: readonly Hit[]): string[] {
  return [...new Set(hits.map(({ source }) => source))].sort();
}

/** A word that nobody else uses, of letters only. */
export function newWord(): string {
  return `z${randomUUID()
    .replaceAll('-', '')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`.slice(0, 18);
}
