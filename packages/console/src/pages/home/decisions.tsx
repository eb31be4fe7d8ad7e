import { Link } from '@tanstack/react-router';
import { useRights } from '../../api/api.js';
import { useQueue } from '../inbox/use-queue.js';

/** How much waits for a person. */
export function Decisions() {
  const { admin } = useRights();
  const { facts, patches, quarantine } = useQueue();
  const kinds = [
    ['facts', 'unconfirmed facts', facts],
    ['patches', 'unresolved patches', patches],
    ...(admin ? ([['quarantine', 'quarantined texts', quarantine]] as const) : []),
  ] as const;
  return (
    <section className="card" aria-labelledby="decisions-title">
      <header className="card-head">
        <h2 id="decisions-title">Needs a decision</h2>
        <Link to="/inbox">Inbox</Link>
      </header>
      <ul className="numbers card-body">
        {kinds.map(([show, label, items]) => (
          <li key={label}>
            <Link
              to="/inbox"
              search={(all) => ({ user: all.user, show })}
              className={items?.length ? 'big some' : 'big'}
            >
              {items === undefined ? '–' : items.length === 100 ? '100+' : items.length}
            </Link>
            <span className="small muted">{label}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
