import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRights } from '../../api/api.js';
import { Page } from '../../parts/page.js';
import { PageTabs } from '../../parts/page-tabs.js';
import { AuditTab } from './audit-tab.js';
import { ForgetTab } from './forget-tab.js';
import './governance.css';
import { HoldsTab } from './holds-tab.js';
import { RetentionTab } from './retention-tab.js';
import { SourcesTab } from './sources-tab.js';
import { TenantAuditTab } from './tenant-audit-tab.js';

const tabs = [
  { name: 'audit', label: 'Audit', Content: AuditTab, isAdmin: false },
  { name: 'tenant', label: 'Audit of the tenant', Content: TenantAuditTab, isAdmin: true },
  { name: 'forget', label: 'Forget a user', Content: ForgetTab, isAdmin: true },
  { name: 'holds', label: 'Legal holds', Content: HoldsTab, isAdmin: true },
  { name: 'retention', label: 'Retention', Content: RetentionTab, isAdmin: true },
  { name: 'sources', label: 'Revert a source', Content: SourcesTab, isAdmin: true },
];

/** Proves what happened, and removes what must go. */
export function GovernancePage() {
  const { tab } = useSearch({ from: '/governance' });
  const navigate = useNavigate({ from: '/governance' });
  const { admin } = useRights();
  return (
    <Page title="Governance" lead="Who changed what, what must stay, and what must go.">
      <PageTabs
        label="Governance"
        tabs={tabs.filter(({ isAdmin }) => admin || !isAdmin)}
        current={tab}
        onChange={(next) => navigate({ search: ({ user }) => ({ user, tab: next }) })}
      />
    </Page>
  );
}
