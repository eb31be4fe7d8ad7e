import { useActing, useAsk, useRights } from '../../api/api.js';

/** What waits for a person: at most 100 of each kind. Undefined: not known yet, or not for this role. */
export function useQueue() {
  const { onBehalf, tenantId, userId } = useActing();
  const rights = useRights();
  const facts = useAsk(
    'facts.list',
    { path: {}, query: { unconfirmed: true, limit: 100, ...onBehalf } },
    { enabled: userId !== '' },
  );
  const own = useAsk(
    'unresolved.list',
    { path: { tenant_id: tenantId, user_id: userId }, query: { limit: 100 } },
    { enabled: !rights.admin && userId !== '' },
  );
  const all = useAsk(
    'unresolvedQueue.list',
    { path: { tenant_id: tenantId }, query: { limit: 100 } },
    { enabled: rights.admin },
  );
  const quarantine = useAsk(
    'quarantine.list',
    { path: { tenant_id: tenantId }, query: { limit: 100 } },
    { enabled: rights.admin },
  );
  return {
    facts: facts.data?.facts,
    patches: (rights.admin ? all : own).data?.patches,
    quarantine: quarantine.data?.entries.filter(({ status }) => status === 'held'),
    errors: [facts, own, all, quarantine].flatMap(({ error }) => error ?? []),
  };
}
