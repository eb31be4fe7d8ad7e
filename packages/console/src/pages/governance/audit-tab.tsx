import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useActing, useAsk, usePages } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { fromLocalInput, toLocalInput } from '../../parts/local-time.js';
import { AuditRecords } from './audit-records.js';

/** Every change of the user's memory, newest first, in a chain that can be checked. */
export function AuditTab() {
  const search = useSearch({ from: '/governance' });
  const navigate = useNavigate({ from: '/governance' });
  const { tenantId, userId } = useActing();
  const [isVerifying, setVerifying] = useState(false);
  const id = useId();
  const { target, from, to } = search;
  const pages = usePages('audit.list', {
    path: { tenant_id: tenantId, user_id: userId },
    query: { ...(target && { target }), ...(from && { from }), ...(to && { to }) },
  });
  const set = (change: Partial<typeof search>) => navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  return (
    <>
      <div className="row end">
        <div className="field grow">
          <label htmlFor={`${id}-target`}>Changed object</label>
          <input
            id={`${id}-target`}
            placeholder="memory/note/… or fact/… or documents/…"
            defaultValue={target ?? ''}
            onBlur={(event) => set({ target: event.target.value.trim() })}
            onKeyDown={(event) => event.key === 'Enter' && set({ target: event.currentTarget.value.trim() })}
          />
        </div>
        {(['from', 'to'] as const).map((name) => (
          <div className="field" key={name}>
            <label htmlFor={`${id}-${name}`}>{name === 'from' ? 'From' : 'Until'}</label>
            <input
              id={`${id}-${name}`}
              type="datetime-local"
              step={1}
              value={toLocalInput(search[name])}
              onChange={(event) => set({ [name]: fromLocalInput(event.target.value) })}
            />
          </div>
        ))}
        <button type="button" className="button primary" onClick={() => setVerifying(true)}>
          Verify the chain
        </button>
      </div>
      {isVerifying && <Verified />}
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
