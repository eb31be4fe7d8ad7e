import { Problem } from '@memhall/core';
import type { Engine } from '../engine.js';
import type { Member } from '../one-memory/member.js';
import { type FollowedChange, fromNow, readChanges } from './read-changes.js';

const pageSize = 100;
/** Followers check at least this often whether they may still read, so a revoked token works no longer than this. */
const longestWaitMs = 4000;

/** How many may follow changes at a time, in this process and for each user. */
const most = { all: 500, perUser: 10 };

/** Counts who follows changes, by tenant and user. */
export class Followers {
  readonly #counts = new Map<string, number>();
  #all = 0;

  /** Returns a function that ends it. Throws QUOTA_EXCEEDED. */
  admit({ tenantId, userId }: Member): () => void {
    const key = JSON.stringify([tenantId, userId]);
    const count = this.#counts.get(key) ?? 0;
    if (count >= most.perUser || this.#all >= most.all) {
      const whose = count >= most.perUser ? `of this user (${most.perUser})` : `of this server (${most.all})`;
      throw new Problem('QUOTA_EXCEEDED', `All streams ${whose} are in use. Close one, or ask for pages instead.`, {
        retryAfterSeconds: 10,
      });
    }
    this.#all += 1;
    this.#counts.set(key, count + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }
}

/**
 * Yields what changes within the caller's scope from a cursor on, as it happens, and an empty list if nothing did for some seconds.
 * Ends when the signal is aborted or `mayGoOn` returns false.
 */
export async function* followChanges(
  engine: Engine,
  member: Member,
  { after = fromNow, signal, mayGoOn }: { after?: string | undefined; signal: AbortSignal; mayGoOn: () => boolean },
): AsyncGenerator<FollowedChange[]> {
  const { followers, changeSignal } = engine.following;
  const leave = followers.admit(member);
  try {
    for (let cursor = after; !signal.aborted && mayGoOn(); ) {
      const { changes, nextCursor } = await readChanges(engine, member, { after: cursor, limit: pageSize });
      cursor = nextCursor;
      yield changes;
      if (changes.length === 0) await changeSignal.wait(longestWaitMs, signal);
    }
  } finally {
    leave();
  }
}
