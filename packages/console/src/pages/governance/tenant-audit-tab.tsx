import { useActing, usePages } from '../../api/api.js';
import { AuditRecords } from './audit-records.js';

/** What changed in the tenant itself: profiles, schemas, holds, revoked tokens, jobs that an operator retried. */
export function TenantAuditTab() {
  const { tenantId } = useActing();
  const pages = usePages('tenants.audit', { path: { tenant_id: tenantId }, query: {} });
  return <AuditRecords of={pages} />;
}
