import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { settingNames } from './pages/recall/recall-settings.js';
import { Waiting } from './parts/answer.js';
import { ErrorNote } from './parts/error-note.js';
import { NotFoundPage } from './shell/not-found-page.js';
import { Shell } from './shell/shell.js';

/** Members of the address that every page has: whose memory it shows. */
interface SharedSearch {
  user?: string | undefined;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  validateSearch: (search: Record<string, unknown>): SharedSearch =>
    typeof search.user === 'string' && search.user !== '' ? { user: search.user } : {},
  search: { middlewares: [retainSearchParams(['user'])] },
});

type TextSearch<K extends string> = { [P in K]?: string | undefined };

/** Takes the named texts from an address, and nothing else. */
function texts<const K extends string>(...names: K[]): (search: Record<string, unknown>) => TextSearch<K> {
  return (search) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        return value === undefined || value === '' || typeof value === 'object' ? [] : [[name, String(value)]];
      }),
    ) as TextSearch<K>;
}

/** One line per page. Its code is loaded when it is opened. */
const pages = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/home/home-page.js'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/recall',
    validateSearch: texts('q', ...settingNames, 'vs', 'why'),
    component: lazyRouteComponent(() => import('./pages/recall/recall-page.js'), 'RecallPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/memories',
    validateSearch: texts('kind', 'namespace', 'session_id', 'tag', 'external_id', 'from', 'to'),
    component: lazyRouteComponent(() => import('./pages/memories/memories-page.js'), 'MemoriesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/memories/$id',
    component: lazyRouteComponent(() => import('./pages/memories/memory-page.js'), 'MemoryPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/subjects',
    component: lazyRouteComponent(() => import('./pages/subjects/subjects-page.js'), 'SubjectsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/subjects/$subject',
    validateSearch: texts('as_of', 'known_at'),
    component: lazyRouteComponent(() => import('./pages/subjects/subject-page.js'), 'SubjectPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/conversations',
    component: lazyRouteComponent(() => import('./pages/conversations/conversations-page.js'), 'ConversationsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/conversations/$id',
    component: lazyRouteComponent(() => import('./pages/conversations/conversation-page.js'), 'ConversationPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/documents',
    validateSearch: texts('profile'),
    component: lazyRouteComponent(() => import('./pages/documents/documents-page.js'), 'DocumentsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/documents/$namespace/$path',
    validateSearch: texts('profile', 'at', 'tab', 'version', 'against'),
    component: lazyRouteComponent(() => import('./pages/documents/document-page.js'), 'DocumentPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/context',
    validateSearch: texts('profile', 'q', 'hint', 'project', 'vars', 'tokens', 'docs', 'chars', 'as_of', 'known_at'),
    component: lazyRouteComponent(() => import('./pages/context/context-page.js'), 'ContextPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/playground',
    component: lazyRouteComponent(() => import('./pages/playground/playground-page.js'), 'PlaygroundPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/inbox',
    validateSearch: texts('show'),
    component: lazyRouteComponent(() => import('./pages/inbox/inbox-page.js'), 'InboxPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/governance',
    validateSearch: texts('tab', 'workspace', 'target', 'operation', 'author', 'from', 'to'),
    component: lazyRouteComponent(() => import('./pages/governance/governance-page.js'), 'GovernancePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operations',
    validateSearch: texts('tab', 'show', 'name', 'prefix'),
    component: lazyRouteComponent(() => import('./pages/operations/operations-page.js'), 'OperationsPage'),
  }),
];

export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren(pages),
    basepath: '/console',
    defaultPreload: 'intent',
    defaultPendingComponent: Waiting,
    defaultErrorComponent: ({ error }) => <ErrorNote error={error} />,
    // Values stay as they are: `?q=12` is a text.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
    },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
