import { Link } from '@tanstack/react-router';
import type { usePages } from '../../api/api.js';
import { Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { StaleNote } from '../../parts/stale-note.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

interface AuditRecord {
  seq: number;
  hash: string;
  [name: string]: unknown;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value));

interface AuditRecordsProps {
  of: ReturnType<typeof usePages<'audit.list' | 'tenants.audit' | 'workspaces.audit'>>;
  /** Whether they are about the user whose memory is shown, so that they can lead to it. */
  isLinked?: boolean;
}

/** Records of one chain, newest first. */
export function AuditRecords({ of: pages, isLinked = false }: AuditRecordsProps) {
  const records = (pages.data?.pages.flatMap((page) => page.records) ?? []) as AuditRecord[];
  return (
    <>
      {pages.isError && <ErrorNote error={pages.error} />}
      {pages.isPending && <Waiting />}
      <StaleNote of={pages} />
      {pages.data !== undefined && records.length === 0 && (
        <section className="card">
          <Empty title="No record matches.">Nothing was changed, or a filter leaves it out.</Empty>
        </section>
      )}
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
                <Row key={record.seq} record={record} isLinked={isLinked} />
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

const linkedTarget = /^(memory|documents|snapshots)\/([^/]+)\/(.+)$/;

/** What was changed. Leads to it, as far as it has a page. */
function Target({ of: record, isLinked }: { of: AuditRecord; isLinked: boolean }) {
  const target = textOf(record.target);
  const [, kind, first = '', rest = ''] = (isLinked && linkedTarget.exec(target)) || [];
  const text = <Text value={target} limit={120} />;
  if (kind === 'memory') {
    return (
      <Link to="/memories/$id" params={{ id: rest }} preload={false}>
        {text}
      </Link>
    );
  }
  if (kind === 'documents') {
    return (
      <Link to="/documents/$namespace/$path" params={{ namespace: first, path: rest }} preload={false}>
        {text}
      </Link>
    );
  }
  if (kind === 'snapshots') {
    return (
      <Link to="/conversations/$id" params={{ id: first }} preload={false}>
        {text}
      </Link>
    );
  }
  return text;
}

function Row({ record, isLinked }: { record: AuditRecord; isLinked: boolean }) {
  const actor = (record.actor ?? {}) as Record<string, unknown>;
  const who = textOf(actor.user_id ?? actor.service_id);
  return (
    <tr data-row>
      <td data-label="No." className="number">
        {record.seq}
      </td>
      <td data-label="When">
        <Time at={textOf(record.at)} exact />
      </td>
      <td data-label="Operation">
        <code>{textOf(record.operation)}</code>
      </td>
      <td data-label="Object">
        <Target of={record} isLinked={isLinked} />
      </td>
      <td data-label="Who">
        <Text value={who} limit={80} />
      </td>
      <td data-label="Record">
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
