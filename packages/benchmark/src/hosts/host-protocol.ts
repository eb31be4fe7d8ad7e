import type { MemorySystem } from '../adapter.js';

/** What the process of a system needs to know, as plain data. */
export interface HostStart {
  adapter: string;
  directory: string;
  databaseUrl: string | undefined;
  modelUrl: string;
  dimensions: number;
  packages: readonly string[];
  settings: Readonly<Record<string, string>>;
}

export interface HostRequest {
  id: number;
  method: keyof MemorySystem;
  parameters: unknown[];
}

export type HostMessage =
  | { ready: true }
  | { failed: string }
  | { id: number; result?: unknown }
  | { id: number; error: string };
