import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { SlowResults } from '../slow-results.js';
import { lastRecord } from './document-at.js';
import { writerOf } from './document-record.js';
import { rulesOf } from './document-rules.js';
import { prepareFollowers } from './document-watcher.js';
import type { GovernedDocument } from './governed-document.js';

/**
 * Call it in the transaction that stores the state, or that removes the document (undefined). Returns the mutations to record: nothing
 * is learned from such a change, but what was based on removed words is taken back.
 */
export type FollowStored = (tables: Tables, document: GovernedDocument | undefined) => Promise<Mutation[]>;

/**
 * Prepares the watchers for a change of a document that does not come from a use case. If nothing is derived yet from a document
 * with a history, that is left to the background job, which reads when each part of it was written.
 */
export async function prepareStored(engine: Engine, caller: Caller, place: DocumentPlace): Promise<FollowStored> {
  const follower = await prepareFollowers(engine, caller, place);
  return async (tables, document) => {
    const look = await follower.look(tables);
    const now = engine.clock.now();
    const slow = new SlowResults();
    if (document === undefined) return look.follow({ document, rules: undefined }, now, slow);
    if (!look.isKnown && document.version > 1) return [];
    const [rules, last] = await Promise.all([rulesOf(engine, tables, place), lastRecord(tables, place)]);
    const writer = last?.post_etag === document.etag ? writerOf(last) : undefined;
    const mutations = await look.follow({ document, rules, writer }, now, slow);
    tables.artifacts.setFollowed({ kind: 'document', folder: place.namespace, name: place.path }, document.etag);
    return mutations;
  };
}
