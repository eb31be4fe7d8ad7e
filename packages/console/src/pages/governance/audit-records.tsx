import type { usePages } from '../../api/api.js';
import { Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

interface AuditRecord {
  seq: number;
  hash: string;
  [name: string]: unknown;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value));

/** Records of one chain, newest first. */
export function AuditRecords({
  of: pages,
}: {
  of: ReturnType<typeof usePages<'audit.list' | 'tenants.audit' | 'workspaces.audit'>>;
}) {
  const records = (pages.data?.pages.flatMap((page) => page.records) ?? []) as AuditRecord[];
  return (
    <>
      {pages.isError && <ErrorNote error={pages.error} />}
      {pages.isPending && <Waiting />}
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
