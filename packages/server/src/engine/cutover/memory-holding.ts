import type { FoundSecrets, OptionalLabel } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { CarriedMemory } from './carried-memory.js';

export interface CarriedPage {
  memories: CarriedMemory[];
  /** Start of the next page; undefined if this was the last one. */
  position: readonly string[] | undefined;
  /** Namespaces that contain more memories than could be read. */
  truncated?: readonly string[];
}

export interface CarriedQuery {
  /** From the previous page; undefined for the first one. */
  position: readonly string[] | undefined;
  limit: number;
  namespace?: string | undefined;
}

export interface BroughtIn {
  outcome: 'imported' | 'skipped';
  found: FoundSecrets;
  /** Record for the audit log; null if it has already been written. */
  record: { target: string; contentHash: string } | null;
}

export interface Entrance {
  /**
   * Stores a memory without its secrets, and without `also` what the tenant wants redacted. Skips it if it already exists
   * unchanged. Throws RowFault or Problem.
   */
  bringIn(memory: CarriedMemory, also: readonly OptionalLabel[]): Promise<BroughtIn>;
}

/** The store whose memories administrators export and import. */
export interface MemoryHolding {
  /** Its name in audit records. */
  readonly name: 'legacy' | 'plugin';
  /** Number of parts of a position. */
  readonly positionParts: number;
  /** The only tenant it serves; undefined if it serves every tenant separately. */
  readonly tenantId: string | undefined;
  /** A page may be shorter than requested. */
  page(caller: Caller, query: CarriedQuery): Promise<CarriedPage>;
  /** Opens the store for imports of one request. Throws a Problem if nothing can be imported. */
  entrance(caller: Caller): Promise<Entrance>;
}
