import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import { useActing, usePages } from '../../api/api.js';
import { Empty, Waiting } from '../../parts/answer.js';
import { Badge } from '../../parts/badge.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

/** Everybody who ever had something changed in the tenant, and the way to their memory. */
export function UsersTab() {
  const { prefix } = useSearch({ from: '/operations' });
  const navigate = useNavigate({ from: '/operations' });
  const { tenantId } = useActing();
  const id = useId();
  const pages = usePages('owners.list', { path: { tenant_id: tenantId }, query: prefix ? { prefix } : {} });
  const owners = pages.data?.pages.flatMap((page) => page.owners) ?? [];
  const filter = (value: string) =>
    navigate({ search: (all) => ({ ...all, prefix: value.trim() || undefined }), replace: true });
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header className="card-head">
        <h2 id={`${id}-title`}>Users of {tenantId}</h2>
        <input
          aria-label="Id begins with"
          placeholder="Id begins with"
          defaultValue={prefix ?? ''}
          key={prefix ?? ''}
          onBlur={(event) => filter(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && filter(event.currentTarget.value)}
        />
      </header>
      {pages.isError && <ErrorNote error={pages.error} />}
      {pages.isPending && <Waiting />}
      {pages.data !== undefined && owners.length === 0 && <Empty title="No user matches." />}
      {owners.length > 0 && (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">User</th>
                <th scope="col" className="number">
                  Audit records
                </th>
                <th scope="col">Last change</th>
                <th scope="col">
                  <span className="visually-hidden">Pages</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {owners.map(({ user_id: user, workspace_id: workspace, changes, last_change_at: at }) => (
                <tr key={user ?? `workspace/${workspace}`} data-row>
                  <td>
                    <Text value={user ?? workspace ?? ''} limit={128} /> {user === null && <Badge>workspace</Badge>}
                  </td>
                  <td data-label="Audit records" className="number">
                    {changes.toLocaleString('en')}
                  </td>
                  <td data-label="Last change">{at !== null && <Time at={at} exact />}</td>
                  <td>
                    {user === null ? (
                      <Link to="/governance" search={{ workspace: workspace ?? '' }} className="button small">
                        Audit
                      </Link>
                    ) : (
                      <span className="row">
                        <Link to="/memories" search={{ user }} className="button small">
                          Memories
                        </Link>
                        <Link to="/governance" search={{ user }} className="button small">
                          Audit
                        </Link>
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages.hasNextPage && (
        <p className="card-body">
          <button type="button" className="button small" onClick={() => void pages.fetchNextPage()}>
            Show more
          </button>
        </p>
      )}
    </section>
  );
}
