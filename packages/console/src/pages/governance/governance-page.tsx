import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { useRights } from '../../api/api.js';
import { Page } from '../../parts/page.js';
import { AuditTab } from './audit-tab.js';
import { ForgetTab } from './forget-tab.js';
import './governance.css';
import { HoldsTab } from './holds-tab.js';
import { RetentionTab } from './retention-tab.js';
import { SourcesTab } from './sources-tab.js';

const tabs = [
  { name: 'audit', label: 'Audit', Content: AuditTab, isAdmin: false },
  { name: 'forget', label: 'Forget a user', Content: ForgetTab, isAdmin: true },
  { name: 'holds', label: 'Legal holds', Content: HoldsTab, isAdmin: true },
  { name: 'retention', label: 'Retention', Content: RetentionTab, isAdmin: true },
  { name: 'sources', label: 'Revert a source', Content: SourcesTab, isAdmin: true },
];

/** Proves what happened, and removes what must go. */
export function GovernancePage() {
  const { tab = 'audit' } = useSearch({ from: '/governance' });
  const navigate = useNavigate({ from: '/governance' });
  const { admin } = useRights();
  const shown = tabs.filter(({ isAdmin }) => admin || !isAdmin);
  const current = shown.some(({ name }) => name === tab) ? tab : 'audit';
  return (
    <Page title="Governance" lead="Who changed what, what must stay, and what must go.">
      <Tabs.Root value={current} onValueChange={(next) => navigate({ search: ({ user }) => ({ user, tab: next }) })}>
        <Tabs.List className="tabs" aria-label="Governance">
          {shown.map(({ name, label }) => (
            <Tabs.Trigger key={name} value={name} className="tab">
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {shown.map(({ name, Content }) => (
          <Tabs.Content key={name} value={name} className="stack governance">
            <Content />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Page>
  );
}
