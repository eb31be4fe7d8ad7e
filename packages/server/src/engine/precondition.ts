import { Problem } from '@memhall/core';

/** What a conditional request asks of the current state. Etags without quotes. */
export type Precondition =
  | { kind: 'none' }
  | { kind: 'exists' }
  | { kind: 'absent' }
  | { kind: 'one-of'; etags: readonly string[] };

/** Throws ETAG_MISMATCH unless the current etag (undefined: nothing there) satisfies the precondition. */
export function checkPrecondition(precondition: Precondition, current: string | undefined): void {
  if (holds(precondition, current)) return;
  const latest = current === undefined ? null : `"${current}"`;
  const message =
    precondition.kind === 'absent'
      ? 'It exists already: read it, and send its ETag as If-Match to replace it.'
      : 'It has changed or is gone: read it again and repeat the request with its present ETag.';
  throw new Problem('ETAG_MISMATCH', message, { details: { latest_etag: latest } });
}

function holds(precondition: Precondition, current: string | undefined): boolean {
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
