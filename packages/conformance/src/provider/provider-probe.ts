import { randomUUID } from 'node:crypto';
import { ensure, show } from '../expectation.js';
import type { Owner, ProviderModule, ProviderUnderTest } from './provider-target.js';

type Fields = Record<string, unknown>;

interface Hit {
  source: string;
  snippet: string;
  line?: unknown;
  score?: unknown;
}

interface Failure {
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

/** The probe of a case: calls to the provider on behalf of owners that only this case uses. */
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

  /** Returns the same provider for the same owner and instance. */
  async provider(owner = this.owner, instance = 0): Promise<ProviderUnderTest> {
    const key = `${owner.agentId} ${instance}`;
    const made = this.#providers.get(key) ?? Promise.resolve(this.#module.createProvider(owner));
    this.#providers.set(key, made);
    return made;
  }

  /** Retains as the owner of the case unless the fields override it. */
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

  /** Returns the hits of a recall after checking their shape. */
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

  /** Returns the content of a text. */
  async textOf(fields: Fields, options: { owner?: Owner } = {}): Promise<string> {
    const { content } = await this.read(fields, options);
    ensure(typeof content === 'string', `the content is ${show(content)} instead of a string`);
    return content;
  }

  /** Measures the size of a text: appends a line and subtracts it from the resulting size. */
  async sizeOf(fields: Fields): Promise<number> {
    const { bytes } = await this.retain({ ...fields, content: '.', mode: 'append' });
    return Math.max(0, Number(bytes) - 2);
  }

  async plant(label: string, text: string): Promise<void> {
    await this.#module.plant?.(this.owner, label, text);
    this.#kept.set(`${this.owner.agentId} ${label}`, { owner: this.owner, id: label });
  }

  /** Removes the texts of the case. Returns the names of texts that could not be removed. */
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

/** Returns the error of a call. Throws Unexpected if the call succeeds. */
export async function failureOf(what: string, call: Promise<unknown>): Promise<Failure> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  ensure(
    'error' in outcome,
    `${what} returned ${show('value' in outcome ? outcome.value : undefined)} instead of an error`,
  );
  const { name, code, message, details } = (outcome.error ?? {}) as Partial<Failure>;
  return { name: String(name), code, message: String(message), details: (details ?? {}) as Fields };
}

/** Ensures that a call is rejected with ProviderInvalid and, if given, with this code. */
export async function expectInvalid(what: string, call: Promise<unknown>, code?: string): Promise<Failure> {
  const failure = await failureOf(what, call);
  ensure(failure.name === 'ProviderInvalid', `${what} fails with ${failure.name} instead of ProviderInvalid`);
  if (code !== undefined)
    ensure(failure.code === code, `${what} has the code ${show(failure.code)} instead of ${code}`);
  return failure;
}

function asFields(value: unknown, what: string): Fields {
  ensure(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${what} returned ${show(value)} instead of an object`,
  );
  return value as Fields;
}

function hitsOf({ hits }: Fields): Hit[] {
  ensure(Array.isArray(hits), `hits is ${show(hits)} instead of a list`);
  for (const hit of hits) {
    const { source, snippet } = asFields(hit, 'a hit');
    ensure(
      typeof source === 'string' && typeof snippet === 'string',
      `a hit is ${show(hit)}: source and snippet must be strings`,
    );
  }
  return hits as Hit[];
}

export function sourcesOf(hits: readonly Hit[]): string[] {
  return [...new Set(hits.map(({ source }) => source))].sort();
}

/** Returns a unique word that consists of letters only. */
export function newWord(): string {
  return `z${randomUUID()
    .replaceAll('-', '')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`.slice(0, 18);
}
