import { MemhallError } from '@memhall/client/operations';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.js';

/** Shows an answer of the server, that it is awaited, or why there is none. The last answer stays if the next one fails to arrive. */
export function Answer<T>({ of, children }: { of: UseQueryResult<T>; children(answer: T): ReactNode }) {
  const failed = of.isError && <ErrorNote error={of.error} onRetry={() => void of.refetch()} />;
  if (of.isError && (of.data === undefined || isRefused(of.error))) return failed;
  if (of.data === undefined) return of.fetchStatus === 'idle' ? null : <Waiting />;
  return (
    <>
      {failed}
      {children(of.data)}
    </>
  );
}

/** Returns whether it is not there any more, or not for this person. What was shown must not stay then. */
function isRefused(error: unknown): boolean {
  return error instanceof MemhallError && [401, 403, 404, 410].includes(error.status);
}

export function Waiting() {
  return (
    <div className="waiting" role="status">
      <span className="visually-hidden">Loading</span>
      <span className="bone" />
      <span className="bone" />
      <span className="bone" />
    </div>
  );
}

/** Says that there is nothing, and what would change that. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children !== undefined && <p className="muted">{children}</p>}
    </div>
  );
}
