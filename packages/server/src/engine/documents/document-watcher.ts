import type { Json } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import type { SlowResults } from '../slow-results.js';
import type { DocumentWriter } from './document-record.js';
import type { DocumentRules } from './document-rules.js';
import type { GovernedDocument } from './governed-document.js';

/** A value that a write is about to put into a document. */
export interface Addition {
  /** Segments from the root of the document's body. */
  segments: readonly string[];
  value: Json;
  /** What is there already, if the value takes its place. */
  before?: Json;
  /** Whether it is the lines of a text. */
  isText?: boolean;
}

export interface DocumentChange {
  /** The new state; undefined if the document was removed. */
  document: GovernedDocument | undefined;
  /** The rules that govern the document; undefined if no profile has a binding for it. */
  rules: DocumentRules | undefined;
  /** Who wrote this state, if that is not the caller. */
  writer?: DocumentWriter | undefined;
  /** Why it was written through its binding; undefined if it changed another way: erased, taken back, adopted. */
  reason?: string | undefined;
  /** The older place that the document was copied from by this version, where it stays but is no longer read. */
  movedFrom?: DocumentPlace | undefined;
}

/**
 * Derives data from documents and keeps it up to date, in the transaction of each change. Use cases of documents call the
 * watchers of the engine and do not know what they derive.
 */
export interface DocumentWatcher {
  /**
   * Does the slow work before a transaction, such as computing vectors. `additions` is what the write will probably add: the
   * transaction may be refused, or decide otherwise.
   */
  prepare(
    engine: Engine,
    caller: Caller,
    place: DocumentPlace,
    additions: readonly Addition[],
  ): Promise<DocumentFollower>;
  /**
   * Derives what is missing from a document that was stored without its watchers: before an upgrade, by an import, or by an
   * older version of the server. Uses transactions of its own. Idempotent.
   */
  catchUp(engine: Engine, caller: Caller, place: DocumentPlace): Promise<void>;
}

/** Follows one write. */
export interface DocumentFollower {
  /**
   * Called at the start of the transaction, in the round trip that reads the document. The transaction may run again from the
   * start.
   */
  look(tables: Tables): Promise<DocumentLook>;
  /** Called after the commit, if the document changed. */
  finish(): void;
}

export interface DocumentLook {
  /** Whether anything is derived from the document so far. */
  isKnown: boolean;
  /**
   * Makes the changes that follow from a change of the document. Waits for the database only if there is more to derive than
   * pieces. Returns the mutations to record.
   */
  follow(change: DocumentChange, now: Date, slow: SlowResults): Promise<Mutation[]>;
}

/** Prepares all watchers of the engine for one write. */
export async function prepareFollowers(
  engine: Engine,
  caller: Caller,
  place: DocumentPlace,
  additions: readonly Addition[] = [],
): Promise<DocumentFollower> {
  const followers = await Promise.all(
    engine.documentWatchers.map((watcher) => watcher.prepare(engine, caller, place, additions)),
  );
  return {
    async look(tables) {
      const looks = await Promise.all(followers.map((follower) => follower.look(tables)));
      return {
        isKnown: looks.some(({ isKnown }) => isKnown),
        async follow(change, now, slow) {
          const mutations: Mutation[] = [];
          for (const look of looks) mutations.push(...(await look.follow(change, now, slow)));
          return mutations;
        },
      };
    },
    finish() {
      for (const follower of followers) follower.finish();
    },
  };
}
