import type { PlanSummary } from '../../ports/plans.js';
import type { Session } from '../../ports/sessions.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Page, pageLimits } from '../page.js';
import { toPlanPage } from './list-plans.js';

/** A session with the first page of its plans; the page's cursor goes on in the list of the session's plans. */
export async function getSession(
  engine: Engine,
  caller: Caller,
  { sessionId }: { sessionId: string },
): Promise<{ session: Session; plans: Page<PlanSummary> } | undefined> {
  const limit = pageLimits.default;
  const [session, plans] = await engine.store.read(scopeOf(caller), (tables) =>
    Promise.all([
      tables.sessions.get(sessionId),
      tables.plans.list({ sessionId }, { before: undefined, limit: limit + 1 }),
    ]),
  );
  return session && { session, plans: toPlanPage(plans, limit) };
}
