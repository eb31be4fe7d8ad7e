import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { useRights } from '../api/api.js';
import { Logo } from '../parts/logo.js';
import { AccountMenu } from './account-menu.js';
import { ActingUser } from './acting-user.js';
import { placesFor } from './navigation.js';
import { ShortcutsDialog } from './shortcuts-dialog.js';
import { useLiveChanges } from './use-live-changes.js';
import { useShortcuts } from './use-shortcuts.js';

/** What surrounds every page: the menu, the search, and whose memory is shown. */
export function Shell() {
  const rights = useRights();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useShortcuts(() => setHelpOpen(true));
  useLiveChanges();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what closes the menu
  useEffect(() => setMenuOpen(false), [path]);
  return (
    <div className="shell">
      <a href="#content" className="skip-link">
        Skip to the page
      </a>
      <header className="topbar">
        <button
          type="button"
          className="button quiet menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <Link to="/" className="brand">
          <Logo />
          <span>Memhall</span>
        </Link>
        {rights.memory && path !== '/recall' && <SearchBox />}
        <span className="topbar-space" />
        {rights.memory && <ActingUser />}
        <AccountMenu onHelp={() => setHelpOpen(true)} />
      </header>
      <nav id="menu" className={isMenuOpen ? 'menu open' : 'menu'} aria-label="Pages">
        {placesFor(rights).map(({ label, places }) => (
          <section key={label}>
            <h2>{label}</h2>
            <ul>
              {places.map(({ path: to, label: name, key }) => (
                <li key={to}>
                  <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} title={`g ${key}`}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <main id="content" tabIndex={-1} className="content">
        <Outlet />
      </main>
      {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

/** Takes a question to the recall lab. `/` brings the focus here. */
function SearchBox() {
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('q')).trim();
    if (q !== '') navigate({ to: '/recall', search: (all) => ({ user: all.user, q }) });
  };
  return (
    <search className="search-box">
      <form onSubmit={submit}>
        <input name="q" type="search" placeholder="Search memory   /" aria-label="Search memory" data-shortcut="/" />
      </form>
    </search>
  );
}
