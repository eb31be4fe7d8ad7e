import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type RecalledSession, recallSessions } from '../memories/recall/recall-sessions.js';
import { resourceKind } from '../resources/resource-chunks.js';
import { inWorkspace } from '../tier-path.js';
import { screenChanged } from '../tiers/screen-changed.js';
import { tierKind } from '../tiers/tier-place.js';
import { Chosen } from './chosen.js';
import type { Member } from './member.js';
import { readingOf } from './reading.js';
import type { AnyRecall, AnyRecalled } from './recall-any.js';

export interface AnySession extends Omit<RecalledSession, 'best'> {
  /** Up to three matches, best first; copies of one statement are one. */
  best: readonly AnyRecalled[];
}

const shownPerSession = 3;
/** Some of them turn out to be copies. */
const fetchedPerSession = 8;
/** What these kinds store as a session only groups the pieces of a record. */
const withoutSession = [resourceKind, tierKind];

/** Recalls over everything the caller may read, by session. Leaves out memories without a session. */
export async function recallAnySessions(
  engine: Engine,
  member: Member,
  input: Omit<AnyRecall, 'minScore' | 'forModel'>,
): Promise<AnySession[]> {
  const { scopes, namespaces, onlyNamespaces, allNotes, filter, ...query } = input;
  const { reader, scope, partitionFilters } = readingOf(member, { scopes, namespaces, onlyNamespaces, allNotes });
  if (scope.workspace) await screenChanged(engine, inWorkspace<Caller>(member, member.tiers.workspaceId), member.tiers);
  const sessions = await recallSessions(engine, reader, {
    ...query,
    scope,
    partitionFilters,
    filter: { ...filter, notKinds: withoutSession },
    memoriesPerSession: fetchedPerSession,
  });
  return sessions.map((session) => {
    const chosen = new Chosen(member, shownPerSession);
    for (const one of session.best) chosen.add(one);
    return { ...session, best: chosen.results };
  });
}
