/** The namespaces of an external memory plugin that are known to contain memories, or to be about to. */
export interface PluginNamespaces {
  /** Returns up to `limit` names after `after`, in byte order. Operator transactions only. */
  list(after: string, limit: number): Promise<string[]>;
  /** Adds names that are not there yet. Queued. Operator transactions only. */
  add(names: readonly string[], now: Date): void;
}
