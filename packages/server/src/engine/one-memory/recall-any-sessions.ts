import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type RecalledSession, recallSessions } from '../memories/recall/recall-sessions.js';
import { resourceKind } from '../resources/resource-chunks.js';
import { inWorkspace } from '../tier-path.js';
import { screenChanged } from '../tiers/screen-changed.js';
import { tierKind } from '../tiers/tier-place.js';
import { Chosen } from './chosen.js';
import { withDisputes } from './find-disputes.js';
import { judge } from './judge.js';
import type { Member } from './member.js';
import { type AnyRecall, type AnyRecalled, toRecallInput } from './recall-any.js';
import { settleSessions } from './settle-order.js';

export interface AnySession extends Omit<RecalledSession, 'best'> {
  /** Up to three matches, best first; copies of one statement are one. */
  best: readonly AnyRecalled[];
}

const shownPerSession = 3;
/** Some of them turn out to be copies. */
const fetchedPerSession = 8;
/** What these kinds store as a session only groups the pieces of a record. */
const withoutSession = [resourceKind, tierKind];

/** Returns the recall of which sessions are made. */
export function toSessionInput(member: Member, input: AnyRecall): ReturnType<typeof toRecallInput> {
  return toRecallInput(member, { ...input, filter: { ...input.filter, notKinds: withoutSession } });
}

export function hasSession({ kind, sessionId }: Memory): boolean {
  return sessionId !== null && !withoutSession.includes(kind);
}

/** Recalls over everything the caller may read, by session. Leaves out memories without a session. */
export async function recallAnySessions(
  engine: Engine,
  member: Member,
  input: Omit<AnyRecall, 'minScore' | 'forModel'>,
): Promise<AnySession[]> {
  const { reader, ...query } = toSessionInput(member, input);
  if (query.scope.workspace)
    await screenChanged(engine, inWorkspace<Caller>(member, member.tiers.workspaceId), member.tiers);
  const sessions = await recallSessions(engine, reader, { ...query, memoriesPerSession: fetchedPerSession });
  const best = await judge(
    engine,
    reader,
    sessions.flatMap((session) => session.best),
    input,
  );
  const judged = withDisputes(member, best, (text) => text);
  let next = 0;
  const found = sessions.map((session) => {
    const own = judged.slice(next, next + session.best.length);
    next += session.best.length;
    return { ...session, best: own };
  });
  return settleSessions(found).map((session) => {
    const chosen = new Chosen(member, shownPerSession);
    for (const one of session.best) chosen.add(one);
    return { ...session, best: chosen.results };
  });
}
