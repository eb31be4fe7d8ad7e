import { followChanges } from '../../engine/changes/follow-changes.js';
import type { Engine } from '../../engine/engine.js';
import type { Member } from '../../engine/one-memory/member.js';
import { type Identity, toTokenFacts } from '../../http/identity.js';
import { toChange } from './to-change.js';

/** A comment: it shows clients and proxies that the stream is open. */
const beat = ': open\n\n';

/** Yields what changes as server-sent events, until the token expires or is revoked, or the reader leaves. */
export async function* changeStream(
  engine: Engine,
  member: Member,
  identity: Identity | undefined,
  after: string | undefined,
): AsyncGenerator<string> {
  const leaving = new AbortController();
  const expires = setTimeout(() => leaving.abort(), timeLeft(identity)).unref();
  const mayGoOn = () => identity !== undefined && !engine.revokedTokens.isRevoked(toTokenFacts(identity));
  try {
    for await (const changes of followChanges(engine, member, { after, signal: leaving.signal, mayGoOn })) {
      yield changes.length === 0 ? beat : changes.map(toEvent).join('');
    }
  } finally {
    clearTimeout(expires);
    leaving.abort();
  }
}

function toEvent(change: Parameters<typeof toChange>[0]): string {
  return `event: change\nid: ${change.cursor}\ndata: ${JSON.stringify(toChange(change))}\n\n`;
}

/** Returns how many milliseconds the token is still valid, at most what a timer can wait. */
function timeLeft(identity: Identity | undefined): number {
  const expiresAt = identity?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return Math.min(expiresAt - Date.now(), 2 ** 31 - 1);
}
