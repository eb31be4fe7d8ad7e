import type { Json } from '@memhall/core';

// Type aliases, not interfaces: only an alias can be passed where JSON is expected.

/** The envelope of every document. The service sets every member except the content. */
export type DocumentBody = {
  doc_id: string;
  schema_id: string;
  schema_version: string;
  created_at: string;
  updated_at: string;
  updated_by: string;
  content: { [key: string]: Json };
};

/** A short description of what happened, with pointers to the full text. */
export type EventRecord = {
  event_id: string;
  tenant_id: string;
  user_id: string;
  service_id: string | null;
  timestamp: string;
  source_type: string | null;
  digest: string;
  keywords: string[];
  project_ids: string[];
  snapshot_uri?: string;
  evidence?: Json;
};

/** The result of an encryption, without the key. */
export type Sealed = {
  algorithm: 'A256GCM';
  key_id: string;
  /** Base64, like `tag` and `ciphertext`. */
  iv: string;
  tag: string;
  ciphertext: string;
};

/** An encrypted conversation. */
export type SnapshotBody = Sealed & { snapshot_id: string; created_at: string };
