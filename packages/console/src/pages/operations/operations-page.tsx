import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Rights, useRights } from '../../api/api.js';
import { Page } from '../../parts/page.js';
import { type PageTab, PageTabs } from '../../parts/page-tabs.js';
import './operations.css';
import { JobsTab } from './jobs-tab.js';
import { PerformanceTab } from './performance-tab.js';
import { SystemTab } from './system-tab.js';
import { TenantsTab } from './tenants-tab.js';
import { TransferTab } from './transfer-tab.js';
import { UsersTab } from './users-tab.js';

const tabs: readonly (PageTab & { isFor(rights: Rights): boolean })[] = [
  { name: 'performance', label: 'Performance', Content: PerformanceTab, isFor: ({ operator }) => operator },
  { name: 'jobs', label: 'Jobs', Content: JobsTab, isFor: ({ operator }) => operator },
  { name: 'system', label: 'System', Content: SystemTab, isFor: ({ operator }) => operator },
  { name: 'tenants', label: 'Tenants', Content: TenantsTab, isFor: ({ operator }) => operator },
  { name: 'users', label: 'Users', Content: UsersTab, isFor: ({ admin }) => admin },
  { name: 'transfer', label: 'Export and import', Content: TransferTab, isFor: ({ memory }) => memory },
];

/** How the server does, and what comes in and goes out. Operators see no content of memories. */
export function OperationsPage() {
  const { tab } = useSearch({ from: '/operations' });
  const navigate = useNavigate({ from: '/operations' });
  const rights = useRights();
  return (
    <Page title="Operations" lead="How the server does, what waits, who uses it, and what comes in and goes out.">
      <PageTabs
        label="Operations"
        tabs={tabs.filter(({ isFor }) => isFor(rights))}
        current={tab}
        onChange={(next) => navigate({ search: ({ user }) => ({ user, tab: next }) })}
      />
    </Page>
  );
}
