/** Whose memory a provider is made for. */
export interface Owner {
  workspaceId: string;
  agentId: string;
  crewId: string;
}

type Fields = Record<string, unknown>;
type Method = (request: Fields, signal?: AbortSignal) => Promise<unknown>;

/** A provider as it comes. Nothing is certain about it yet. */
export interface ProviderUnderTest {
  specification?: unknown;
  capabilities?: unknown;
  retain: Method;
  recall: Method;
  forget: Method;
  health: (signal?: AbortSignal) => Promise<unknown>;
  read?: Method;
}

/** What a module exports to be tested. */
export interface ProviderModule {
  /** A provider of its own for each call; two for the same owner share what they keep. */
  createProvider(owner: Owner): ProviderUnderTest | Promise<ProviderUnderTest>;
  /** Puts a text into the store behind the provider's back, as a person with an editor would. */
  plant?(owner: Owner, label: string, text: string): Promise<void>;
  /** Removes what is left of an owner. */
  removeOwner?(owner: Owner): Promise<void>;
}

export type ProviderTarget =
  | {
      /** Path of a module, or what one exports. */
      module: string | ProviderModule;
    }
  | {
      /** Of a Memhall server. */
      url: string;
      token: string;
      /** That the token may name. */
      workspaceId: string;
      timeoutMs?: number;
    };
