import { basename, dirname } from 'node:path';
import { MemhallError } from '@memhall/client';
import { DocumentsClient } from '@memhall/client/documents';
import { OneMemoryClient } from '@memhall/client/one-memory';
import type { Adapter, Found, MemorySystem, Owner, Place } from '../adapter.js';
import { type Capability, type Claim, claim } from '../capabilities.js';
import { memhallSecret, startMemhallServer } from './memhall-server.js';
import { MemhallTokens } from './memhall-tokens.js';

const pageLimit = 100;
const attempts = 200;
const trusted: ReadonlySet<string> = new Set(['user', 'operator']);

const claims: Readonly<Record<Capability, Claim>> = {
  users: claim('README: a token gives access only to its own tenant and user.'),
  tenants: claim('README: a token gives access only to its own tenant and user.'),
  scopedIds: claim('docs/guide/one-memory.md: the response is the same as for an id that does not exist.'),
  restart: claim('README: a successful write survives a kill -9 right after the response.'),
  processes: claim('docs/operate/scale.md: many nodes on one database; clients of one server on the embedded one.'),
  append: claim('docs/guide/one-memory.md: with the ETag as If-Match, a change that somebody else made is not lost.'),
  replace: claim('docs/guide/one-memory.md: PATCH /v1/memories/{id}.'),
  forget: claim('docs/guide/one-memory.md: DELETE /v1/memories/{id}.'),
  forgetUser: claim('docs/operate/erasure.md: DELETE /v1/tenants/{tenant}/users/{user}/memory.'),
  compact: claim('docs/operate/erasure.md: memhall erase --compact.'),
  questions: claim('docs/guide/recall.md.'),
  asOf: claim('docs/guide/facts.md: as_of.'),
  knownAt: claim('docs/guide/facts.md: known_at.'),
  supersedes: claim('docs/guide/facts.md: what is stored with remember is read, and changes are understood.'),
  provenance: claim('docs/guide/one-memory.md: each result says where it comes from, and how far it can be trusted.'),
};

const described = {
  documentation: 'https://github.com/memhall/memhall',
  packages: ['memhall'],
  claims,
} as const;

export const memhallEmbedded: Adapter = {
  ...described,
  name: 'memhall-embedded',
  title: 'Memhall, embedded database',
  settings: '`memhall serve` with its defaults, over HTTP.',
  storage: 'files',
  opaque: ['memhall/postgres'],
  open: openServer,
};

export const memhallPostgres: Adapter = {
  ...described,
  name: 'memhall-postgres',
  title: 'Memhall on PostgreSQL',
  settings: '`memhall serve` with its defaults, over HTTP. Each process of a case is a server of its own.',
  storage: 'postgres',
  open: openServer,
};

export const memhallUrl: Adapter = {
  ...described,
  packages: [],
  name: 'memhall-url',
  title: 'A Memhall server that runs',
  settings:
    'Needs `--set url=http://…` and its MEMHALL_JWT_SECRET. It cannot be killed and its storage cannot be searched. Each case leaves tenants of its own.',
  storage: 'remote',
  passedOn: ['MEMHALL_JWT_SECRET'],
  claims: {
    ...claims,
    restart: { claimed: false, note: 'The server is not ours to kill. Use memhall-embedded or memhall-postgres.' },
    compact: { claimed: false, note: 'Its files are elsewhere. Use memhall-embedded or memhall-postgres.' },
  },
  async open({ directory, settings, environment }) {
    const { url } = settings;
    const secret = environment.MEMHALL_JWT_SECRET;
    if (url === undefined || secret === undefined)
      throw new Error('give --set url=http://… and the variable MEMHALL_JWT_SECRET of the server');
    return inTenantsOf(basename(dirname(directory)), connect(url, new MemhallTokens(secret)));
  },
};

/** A server that runs has data already, so that each case gets tenants of its own. */
function inTenantsOf(name: string, { close, ...system }: MemorySystem): MemorySystem {
  const methods = Object.entries(system as Record<string, (owner: Owner, ...rest: unknown[]) => unknown>).map(
    ([method, call]) => [
      method,
      (owner: Owner, ...rest: unknown[]) => call({ ...owner, tenant: `${name}.${owner.tenant}` }, ...rest),
    ],
  );
  return { ...Object.fromEntries(methods), close } as MemorySystem;
}

async function openServer(place: Place): Promise<MemorySystem> {
  const server = await startMemhallServer(place);
  return {
    ...connect(server.url, new MemhallTokens(memhallSecret)),
    compact: () => server.compact(),
    close: () => server.close(),
  };
}

function connect(baseUrl: string, tokens: MemhallTokens): MemorySystem {
  const as = (owner: Owner) => new OneMemoryClient({ baseUrl, token: tokens.user(owner), timeoutMs: 100_000 });
  return {
    async remember(owner, { text, from, session }) {
      // A conversation is imported as it stands; what a user tells is a statement of that user.
      const said = session === undefined ? { role: 'user' as const } : { session_id: session };
      if (from === 'user') return (await as(owner).remember({ content: text, ...said })).id;
      const page = new OneMemoryClient({ baseUrl, token: tokens.service(owner) });
      return (await page.remember({ content: text, trust: 'external' }, { userId: owner.user })).id;
    },
    async recall(owner, query, limit) {
      const { results } = await as(owner).recall({ query, limit });
      // Memories of the user that a service brought in from elsewhere are the user's, but not the user's words.
      return results.map(
        ({ id, text, own, trust, current }): Found => ({ id, text, current, own: own && trusted.has(trust) }),
      );
    },
    async list(owner) {
      const found: Found[] = [];
      for await (const { id, content } of as(owner).allMemories({}, { limit: pageLimit } as object))
        found.push({ id, text: content });
      return found;
    },
    read: async (owner, id) => (await as(owner).getMemory(id))?.memory.content ?? null,
    append: (owner, id, line) => append(as(owner), id, line),
    async replace(owner, id, text) {
      await as(owner).updateMemory(id, { content: text }, { ifMatch: '*' });
    },
    async forget(owner, id) {
      if (!(await as(owner).forgetMemory(id))) throw new Error('there is no such memory');
    },
    async forgetUser(owner) {
      const { tenant: tenantId, user: userId } = owner;
      await new DocumentsClient({ baseUrl, token: tokens.admin(owner), tenantId, userId }).forget();
    },
    async state(owner, { attribute, value, validFrom }) {
      await as(owner).putFact({ subject: 'me', attribute, value, valid_from: validFrom });
    },
    async ask(owner, { attribute, asOf, knownAt }) {
      const { facts } = await as(owner).listFacts({
        subject: 'me',
        attribute,
        as_of: asOf,
        known_at: knownAt,
      } as object);
      return facts.filter(({ status }) => status === 'current').map(({ value }) => value);
    },
    close: async () => undefined,
  };
}

/** Reads, changes, and tries again if somebody else was faster. */
async function append(client: OneMemoryClient, id: string, line: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const stored = await client.getMemory(id);
    if (stored === null) throw new Error('there is no such memory');
    try {
      await client.updateMemory(id, { content: `${stored.memory.content}\n${line}` }, { ifMatch: stored.etag ?? '*' });
      return;
    } catch (error) {
      if (!(error instanceof MemhallError) || error.code !== 'ETAG_MISMATCH') throw error;
    }
  }
  throw new Error(`somebody else was faster ${attempts} times`);
}
