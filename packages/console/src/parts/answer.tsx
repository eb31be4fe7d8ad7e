import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.js';

/** Shows an answer of the server, that it is awaited, or why there is none. */
export function Answer<T>({ of, children }: { of: UseQueryResult<T>; children(answer: T): ReactNode }) {
  if (of.isError) return <ErrorNote error={of.error} />;
  if (of.data === undefined) return of.fetchStatus === 'idle' ? null : <Waiting />;
  return <>{children(of.data)}</>;
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
