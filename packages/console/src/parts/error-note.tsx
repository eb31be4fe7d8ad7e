import { MemhallError } from '@memhall/client/operations';

interface ErrorNoteProps {
  error: unknown;
  /** Asks again. */
  onRetry?(): void;
}

/** Shows what the server said, in its own words, with what its log calls the request. */
export function ErrorNote({ error, onRetry }: ErrorNoteProps) {
  const message = error instanceof Error ? error.message : String(error);
  const { code, requestId } = error instanceof MemhallError ? error : { code: undefined, requestId: undefined };
  return (
    <div role="alert" className="note danger">
      <p>{message}</p>
      {code !== undefined && (
        <p className="small muted">
          <code>{code}</code>
          {requestId && (
            <>
              {' '}
              request <code>{requestId}</code>
            </>
          )}
        </p>
      )}
      {onRetry !== undefined && (
        <button type="button" className="button small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
