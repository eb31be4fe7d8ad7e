/** A namespace without its name and creation time. */
export interface NamespaceFields {
  kind: string;
  expires_at?: string | undefined;
  metadata?: object | undefined;
}

export interface Fields {
  content: string;
  kind: string;
  source: string;
  pin: true | undefined;
  expires_at: string | undefined;
  propagation: object | undefined;
  embedding: number[] | undefined;
}

export interface Search {
  namespaces: string[];
  query?: string | undefined;
  embedding?: number[] | undefined;
  /** All kinds if undefined. */
  kinds?: string[] | undefined;
  limit: number;
}

/**
 * What a plugin stores its memories in. Inputs are checked before. Methods may return a promise; what they resolve with
 * is the body of the response. They end a request with an error by calling `refuse`.
 */
export interface Store {
  isWorking(): unknown;
  putNamespace(name: string, fields: NamespaceFields): unknown;
  /** A field that is there and undefined is removed. */
  changeNamespace(name: string, changes: Partial<NamespaceFields>): unknown;
  deleteNamespace(name: string): unknown;
  write(namespace: string, id: string | undefined, fields: Fields): unknown;
  forget(id: string, namespace: string): unknown;
  search(search: Search): unknown;
}

export interface Answer {
  status: number;
  body?: unknown;
}

/** Gets the variable part of the path, and a function that reads the body. */
export type Handler = (part: string, read: () => Record<string, unknown>) => Promise<Answer>;

/** `socket` wins over `port`. */
export interface Serving {
  capabilities: string[];
  port?: string | undefined;
  socket?: string | undefined;
}
