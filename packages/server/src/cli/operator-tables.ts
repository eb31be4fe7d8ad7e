import type { QuarantineEntry } from '../engine/tiers/quarantine-decisions.js';
import type { JobRecord } from '../ports/job-ledger.js';
import type { UnrecordedSession } from '../ports/off-the-record.js';
import { workspaceOf } from '../ports/owners.js';
import type { SourceRevert } from '../ports/source-reverts.js';
import type { TokenRevocation } from '../ports/token-revocations.js';
import type { UnresolvedPatch } from '../ports/unresolved-patches.js';
import { type Screen, toTable } from './table.js';
import { toLine } from './text-width.js';

export function sayMoment(date: Date | null): string {
  return date === null ? '' : date.toISOString().slice(0, 16).replace('T', ' ');
}

export function toJobTable(records: readonly JobRecord[], screen: Screen): string {
  const rows = records.map(({ id, job, state, createdAt, attempts, maxAttempts, payload, output }) => {
    const about = Object.entries(payload).map(([name, value]) => `${name}=${value}`);
    const details = [...about, ...(output === null ? [] : [JSON.stringify(output)])];
    return { id, cells: [job, state, sayMoment(createdAt), `${attempts}/${maxAttempts}`, toLine(details.join(' '))] };
  });
  return toTable(['JOB', 'STATE', 'CREATED (UTC)', 'ATTEMPTS', 'DETAILS'], rows, screen);
}

export function toQuarantineTable(entries: readonly QuarantineEntry[], screen: Screen): string {
  const rows = entries.map(({ id, createdAt, status, category, rule, userId, label }) => ({
    id,
    cells: [sayMoment(createdAt), status, category, rule, toLine(`${workspaceOf(userId) ?? userId} ${label}`)],
  }));
  return toTable(['FOUND (UTC)', 'STATUS', 'CATEGORY', 'RULE', 'WHERE'], rows, screen);
}

export function toUnresolvedTable(patches: readonly UnresolvedPatch[], screen: Screen): string {
  const rows = patches.map(({ patchId, createdAt, status, userId, namespace, path, problem }) => ({
    id: patchId,
    cells: [sayMoment(createdAt), status, toLine(userId), toLine(`${namespace}/${path}`), toLine(problem)],
  }));
  return toTable(['CREATED (UTC)', 'STATUS', 'USER', 'DOCUMENT', 'PROBLEM'], rows, screen);
}

export function toUnrecordedTable(sessions: readonly UnrecordedSession[], screen: Screen): string {
  const rows = sessions.map(({ sessionId, startedAt, until }) => ({
    id: toLine(sessionId),
    cells: [sayMoment(startedAt), until === null ? 'until ended' : sayMoment(until)],
  }));
  return toTable(['SINCE (UTC)', 'UNTIL (UTC)'], rows, screen, 'SESSION');
}

export function toRevocationTable(revocations: readonly TokenRevocation[], screen: Screen): string {
  const rows = revocations.map(({ id, createdAt, expiresAt, issuedBefore, kind, subject }) => ({
    id,
    cells: [sayMoment(createdAt), sayMoment(expiresAt), sayMoment(issuedBefore), toLine(`${kind} ${subject}`.trim())],
  }));
  return toTable(['CREATED (UTC)', 'ENDS (UTC)', 'ISSUED BEFORE (UTC)', 'TOKENS OF'], rows, screen);
}

export function toRevertTable(reverts: readonly SourceRevert[], screen: Screen): string {
  const rows = reverts.map(({ revertId, at, users, memories, facts }) => ({
    id: revertId,
    cells: [sayMoment(at), String(users), String(memories), String(facts)],
  }));
  return toTable(['TAKEN BACK (UTC)', 'USERS', 'MEMORIES', 'FACTS'], rows, screen);
}
