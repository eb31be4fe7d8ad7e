import { Link } from '@tanstack/react-router';
import { useActing, usePages } from '../../api/api.js';
import { Empty, Waiting } from '../../parts/answer.js';
import { ErrorNote } from '../../parts/error-note.js';
import { Page } from '../../parts/page.js';
import { StaleNote } from '../../parts/stale-note.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

/** The chats of a user, and the conversations that snapshots were taken of. */
export function ConversationsPage() {
  const { tenantId, userId } = useActing();
  const pages = usePages('conversations.list', { path: { tenant_id: tenantId, user_id: userId }, query: {} });
  const found = pages.data?.pages.flatMap((page) => page.conversations) ?? [];
  return (
    <Page title="Conversations" lead="What was said, and what was made from it.">
      {pages.isError && <ErrorNote error={pages.error} />}
      {pages.isPending && <Waiting />}
      <StaleNote of={pages} />
      {pages.data !== undefined && found.length === 0 && (
        <Empty title="No conversation yet.">
          Memories with a session id are the turns of one; so are the messages of a snapshot.
        </Empty>
      )}
      {found.length > 0 && (
        <section className="card table-scroll" aria-label="Conversations">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Conversation</th>
                <th scope="col" className="number">
                  Turns
                </th>
                <th scope="col" className="number">
                  Snapshots
                </th>
                <th scope="col">Began</th>
                <th scope="col">Last active</th>
              </tr>
            </thead>
            <tbody>
              {found.map(({ conversation_id: id, turns, snapshots, first_at: first, last_at: last }) => (
                <tr key={id} data-row>
                  <td>
                    <Link to="/conversations/$id" params={{ id }}>
                      <Text value={id} limit={120} />
                    </Link>
                  </td>
                  <td data-label="Turns" className="number">
                    {turns.toLocaleString('en')}
                  </td>
                  <td data-label="Snapshots" className="number">
                    {snapshots.toLocaleString('en')}
                  </td>
                  <td data-label="Began">
                    <Time at={first} />
                  </td>
                  <td data-label="Last active">
                    <Time at={last} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {pages.hasNextPage && (
        <div>
          <button
            type="button"
            className="button"
            disabled={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </button>
        </div>
      )}
    </Page>
  );
}
