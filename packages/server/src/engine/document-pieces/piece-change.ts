import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { DocumentChange } from '../documents/document-watcher.js';
import type { Engine } from '../engine.js';
import type { SlowResults } from '../slow-results.js';

/** What a change of a document did to its pieces. */
export interface PieceChange extends Pick<DocumentChange, 'document' | 'rules' | 'reason'> {
  /** The pieces that were not there before, as they are stored. */
  added: readonly Memory[];
  /** Ids of pieces that are gone, and that facts or their changes are based on. */
  lost: readonly string[];
  now: Date;
  /** Finds what must not be looked for in a transaction. */
  slow: SlowResults;
}

/** Derives more than memories from the pieces of documents. */
export interface PieceWatcher {
  /** Called in the transaction of the change, after the pieces were stored. Returns the mutations to record. */
  follow(engine: Engine, tables: Tables, caller: Caller, change: PieceChange): Promise<Mutation[]>;
}
