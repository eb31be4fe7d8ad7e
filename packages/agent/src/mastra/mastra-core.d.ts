// The part of Mastra that the adapters extend. Users of an adapter have the real one.
declare module '@mastra/core/storage' {
  export abstract class MemoryStorage {
    protected validateMetadataKeys(metadata: Record<string, unknown> | undefined): void;
    protected validatePaginationInput(page: number, perPage: number | false): void;
  }

  export class InMemoryStore {
    readonly name: string;
    get supports(): Record<string, boolean>;
  }
}

declare module '@mastra/core/agent' {
  /** Only in version 0. */
  export class MessageList {
    add(messages: readonly object[], source: 'memory'): this;
    // biome-ignore lint/suspicious/noExplicitAny: messages of either format
    get: { all: { v1(): any[]; v2(): any[] } };
  }
}
