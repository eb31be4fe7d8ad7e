import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useActing, useAsk, usePages } from '../../api/api.js';
import { Answer, Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { fromLocalInput, toLocalInput } from '../../parts/local-time.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

interface AuditRecord {
  seq: number;
  hash: string;
  [name: string]: unknown;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value));

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
  const records = (pages.data?.pages.flatMap((page) => page.records) ?? []) as AuditRecord[];
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
      {pages.isError && <ErrorNote error={pages.error} />}
      {pages.isPending && <Waiting />}
      {pages.data !== undefined && records.length === 0 && <Empty title="No record matches." />}
      {records.length > 0 && (
        <section className="card table-scroll" aria-label="Audit records">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">No.</th>
                <th scope="col">When</th>
                <th scope="col">Operation</th>
                <th scope="col">Object</th>
                <th scope="col">Who</th>
                <th scope="col">Record</th>
              </tr>
            </thead>
            <tbody>
              {records.map((record) => (
                <Row key={record.seq} record={record} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {pages.hasNextPage && (
        <button type="button" className="button" onClick={() => void pages.fetchNextPage()}>
          Show more
        </button>
      )}
    </>
  );
}

function Row({ record }: { record: AuditRecord }) {
  const actor = (record.actor ?? {}) as Record<string, unknown>;
  const who = textOf(actor.user_id ?? actor.service_id);
  return (
    <tr data-row>
      <td className="number">{record.seq}</td>
      <td>
        <Time at={textOf(record.at)} exact />
      </td>
      <td>
        <code>{textOf(record.operation)}</code>
      </td>
      <td>
        <Text value={textOf(record.target)} limit={120} />
      </td>
      <td>
        <Text value={who} limit={80} />
      </td>
      <td>
        <details>
          <summary>Show</summary>
          <pre>
            <Text value={JSON.stringify(record, null, 2)} limit={8000} />
          </pre>
        </details>
      </td>
    </tr>
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
