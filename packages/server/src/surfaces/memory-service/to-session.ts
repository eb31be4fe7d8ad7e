import type { Static } from 'typebox';
import type { Page } from '../../engine/page.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import type { PlanSummary } from '../../ports/plans.js';
import type * as stored from '../../ports/sessions.js';
import type { Session, SessionList, SessionPage } from './session-schemas.js';
import { toPlanSummary } from './to-plan.js';

export function toSession(session: stored.Session): Static<typeof Session> {
  return {
    session_id: session.sessionId,
    agent_id: session.agentId,
    name: session.name,
    metadata: session.metadata,
    created_at: session.createdAt.toISOString(),
    last_interaction: session.lastInteraction.toISOString(),
  };
}

export function toSessionPage(session: stored.Session, plans: Page<PlanSummary>): Static<typeof SessionPage> {
  return {
    ...toSession(session),
    plans: plans.items.map(toPlanSummary),
    ...(plans.nextCursor === undefined ? {} : { plans_next_cursor: plans.nextCursor }),
  };
}

export function toSessionList(page: Page<stored.Session>): Static<typeof SessionList> {
  return {
    sessions: page.items.map(toSession),
    count: page.items.length,
    ...toNextCursor(page.nextCursor),
  };
}
