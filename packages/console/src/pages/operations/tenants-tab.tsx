import { usePages } from '../../api/api.js';
import { Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Progress } from '../../parts/progress.js';
import { Text } from '../../parts/text.js';

/** Every tenant with its numbers, and how far its memories are embedded. */
export function TenantsTab() {
  const pages = usePages('tenants.list', { path: {}, query: { limit: 20 } });
  const tenants = pages.data?.pages.flatMap((page) => page.tenants) ?? [];
  return (
    <section className="card" aria-labelledby="tenants-title">
      <header className="card-head">
        <h2 id="tenants-title">Tenants</h2>
        <button type="button" className="button small" onClick={() => void pages.refetch()} data-shortcut="r">
          Refresh
        </button>
      </header>
      {pages.isError && <ErrorNote error={pages.error} />}
      {pages.isPending && <Waiting />}
      {pages.data !== undefined && tenants.length === 0 && <Empty title="Nobody has written anything yet." />}
      {tenants.length > 0 && (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Tenant</th>
                <th scope="col" className="number">
                  Users and workspaces
                </th>
                <th scope="col" className="number">
                  Memories
                </th>
                <th scope="col" className="number">
                  Audit records
                </th>
                <th scope="col">Ready for the current embedder</th>
              </tr>
            </thead>
            <tbody>
              {tenants.map(({ id, owners, memories, changes, waiting }) => (
                <tr key={id}>
                  <td>
                    <Text value={id} limit={128} />
                  </td>
                  <td data-label="Users and workspaces" className="number">
                    {owners.toLocaleString('en')}
                  </td>
                  <td data-label="Memories" className="number">
                    {memories.toLocaleString('en')}
                  </td>
                  <td data-label="Audit records" className="number">
                    {changes.toLocaleString('en')}
                  </td>
                  <td data-label="Ready for the current embedder">
                    <span className="row">
                      <Progress label={`Embedded memories of ${id}`} done={memories - waiting} total={memories} />
                      <span className="small muted">
                        {waiting === 0 ? 'all' : `${waiting.toLocaleString('en')} waiting`}
                      </span>
                    </span>
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
