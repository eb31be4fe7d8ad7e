/** The owner of a provider's memory. */
export interface Owner {
  workspaceId: string;
  agentId: string;
  crewId: string;
}

type Fields = Record<string, unknown>;
type Method = (request: Fields, signal?: AbortSignal) => Promise<unknown>;

/** An unverified provider. */
export interface ProviderUnderTest {
  specification?: unknown;
  capabilities?: unknown;
  retain: Method;
  recall: Method;
  forget: Method;
  health: (signal?: AbortSignal) => Promise<unknown>;
  read?: Method;
}

/** The exports of a module under test. */
export interface ProviderModule {
  /** Returns a new provider for each call. Providers of the same owner share their data. */
  createProvider(owner: Owner): ProviderUnderTest | Promise<ProviderUnderTest>;
  /** Puts a text into the store directly, bypassing the provider, as a person with an editor would. */
  plant?(owner: Owner, label: string, text: string): Promise<void>;
  /** Removes all remaining data of an owner. */
  removeOwner?(owner: Owner): Promise<void>;
}

export type ProviderTarget =
  | {
      /** Path of a module, or its exports. */
      module: string | ProviderModule;
    }
  | {
      /** URL of a Memhall server. */
      url: string;
      token: string;
      /** A workspace that the token may access. */
      workspaceId: string;
      timeoutMs?: number;
    };
