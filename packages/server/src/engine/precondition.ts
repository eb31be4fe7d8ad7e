import { Problem } from '@memhall/core';

/** What a conditional request requires of the current state. Etags have no quotes. */
export type Precondition =
  | { kind: 'none' }
  | { kind: 'exists' }
  | { kind: 'absent' }
  | { kind: 'one-of'; etags: readonly string[] };

/** Throws ETAG_MISMATCH unless the current etag satisfies the precondition. It is undefined if nothing is stored. */
export function checkPrecondition(precondition: Precondition, current: string | undefined): void {
  if (isSatisfied(precondition, current)) return;
  const latest = current === undefined ? null : `"${current}"`;
  const message =
    precondition.kind === 'absent'
      ? 'It already exists: read it, and send its ETag as If-Match to replace it.'
      : 'It has changed or does not exist: read it again and repeat the request with its current ETag.';
  throw new Problem('ETAG_MISMATCH', message, { details: { latest_etag: latest } });
}

function isSatisfied(precondition: Precondition, current: string | undefined): boolean {
  switch (precondition.kind) {
    case 'none':
      return true;
    case 'exists':
      return current !== undefined;
    case 'absent':
      return current === undefined;
    case 'one-of':
      return current !== undefined && precondition.etags.includes(current);
  }
}
