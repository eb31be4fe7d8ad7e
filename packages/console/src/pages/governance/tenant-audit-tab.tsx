import { useActing, usePages } from '../../api/api.js';
import { AuditFilters, useAuditFilter } from './audit-filters.js';
import { AuditRecords } from './audit-records.js';

/** What changed in the tenant itself: profiles, schemas, holds, revoked tokens, jobs that an operator retried. */
export function TenantAuditTab() {
  const { tenantId } = useActing();
  const pages = usePages('tenants.audit', { path: { tenant_id: tenantId }, query: useAuditFilter() });
  return (
    <>
      <p className="muted">
        What changed in the tenant itself: profiles, schemas, legal holds, erasures, sources that were taken back,
        tokens that were revoked.
      </p>
      <AuditFilters />
      <AuditRecords of={pages} />
    </>
  );
}
