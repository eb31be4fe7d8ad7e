import type { FoundSecrets } from '@memhall/core';
import type { Caller } from '../caller.js';
import type { CarriedMemory } from './carried-memory.js';

export interface CarriedPage {
  memories: CarriedMemory[];
  /** Where the next page begins; undefined: this was the last one. */
  position: readonly string[] | undefined;
  /** Namespaces that hold more than could be had. */
  truncated?: readonly string[];
}

export interface CarriedQuery {
  /** Of a page before; undefined: the first one. */
  position: readonly string[] | undefined;
  limit: number;
  namespace?: string | undefined;
}

export interface BroughtIn {
  outcome: 'imported' | 'skipped';
  found: FoundSecrets;
  /** What to write into the audit log; null: it is there already. */
  record: { target: string; contentHash: string } | null;
}

export interface Entrance {
  /** Stores a memory without its secrets; one that is there already, unchanged, is skipped. Throws RowFault or Problem. */
  bringIn(memory: CarriedMemory): Promise<BroughtIn>;
}

/** What holds the memories that administrators export and import. */
export interface MemoryHolding {
  /** As audit records name it. */
  readonly name: 'legacy' | 'plugin';
  /** Whether it can page by a position of this many parts. */
  readonly positionParts: number;
  /** The only tenant it serves; undefined: each its own. */
  readonly tenantId: string | undefined;
  /** A page may be shorter than asked for. */
  page(caller: Caller, query: CarriedQuery): Promise<CarriedPage>;
  /** For one request. Throws a Problem when nothing can be brought in. */
  entrance(caller: Caller): Promise<Entrance>;
}
