import type { Recalled } from '../memories/recall/recalled.js';
import type { Member } from './member.js';

export interface OutsideSearch {
  /** Without a text: pinned memories first, then the newest. */
  text: string | undefined;
  /** At least one; the member may read all of them. */
  namespaces: readonly string[];
  /** All kinds if undefined. */
  kinds: readonly string[] | undefined;
  /** `lexical`: by words only. */
  arms: 'both' | 'lexical' | 'dense' | undefined;
  limit: number;
  signal: AbortSignal | undefined;
}

/**
 * Memories of namespaces that are stored elsewhere, such as in a memory plugin. What they contain is not trusted: the caller
 * redacts and scans it.
 */
export interface OutsideMemories {
  /** Returns whether they hold memories of the member's tenant. */
  serves(member: Member): boolean;
  /**
   * Returns at most `limit` memories of the namespaces, best first. Their ids are never equal to ids of the store, and they have no
   * owner. Resolves with undefined, within seconds, if it is not known what there is. Rejects only if the signal aborts.
   */
  search(member: Member, search: OutsideSearch): Promise<Recalled[] | undefined>;
}
