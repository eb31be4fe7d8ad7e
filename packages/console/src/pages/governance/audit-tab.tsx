import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useActing, useAsk, usePages } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Text } from '../../parts/text.js';
import { AuditFilters, useAuditFilter } from './audit-filters.js';
import { AuditRecords } from './audit-records.js';

/** Every change of the user's memory, newest first, in a chain that can be checked; or of the notes of a workspace. */
export function AuditTab() {
  const { workspace } = useSearch({ from: '/governance' });
  return workspace === undefined ? <UserAudit /> : <WorkspaceAudit workspace={workspace} />;
}

function UserAudit() {
  const { tenantId, userId } = useActing();
  const [isVerifying, setVerifying] = useState(false);
  const path = { tenant_id: tenantId, user_id: userId };
  const pages = usePages('audit.list', { path, query: useAuditFilter() });
  return (
    <>
      <AuditFilters>
        <button type="button" className="button primary" onClick={() => setVerifying(true)}>
          Verify the chain
        </button>
      </AuditFilters>
      {isVerifying && <Verified />}
      <AuditRecords of={pages} isLinked />
    </>
  );
}

function WorkspaceAudit({ workspace }: { workspace: string }) {
  const { tenantId } = useActing();
  const path = { tenant_id: tenantId, workspace_id: workspace };
  const pages = usePages('workspaces.audit', { path, query: useAuditFilter() });
  return (
    <>
      <p className="note">
        The notes of the workspace{' '}
        <strong>
          <Text value={workspace} limit={128} />
        </strong>
      </p>
      <AuditFilters />
      <AuditRecords of={pages} />
    </>
  );
}

function Verified() {
  const { tenantId, userId } = useActing();
  const checked = useAsk('audit.verify', { path: { tenant_id: tenantId, user_id: userId } });
  return (
    <Answer of={checked}>
      {({ verified, records, fault }) => (
        <p className={verified ? 'note ok' : 'note danger'} role="status">
          {verified
            ? `Verified: all ${records.toLocaleString('en')} records are in place and unaltered, each with the hash of the one before it.`
            : `The chain is broken at record ${fault?.seq}: ${fault?.kind}. Compare it with the signed heads: memhall audit verify.`}
        </p>
      )}
    </Answer>
  );
}
